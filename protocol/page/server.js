/** Server: what is asked of it, one thing after the other, and what it tells. */

import { reason } from "./texts.js";

const PATIENCE = 2000;
const RETRY = 1000;

export class Server {
  /** hear: by the name of an event, who hears its data; gone: hears whether the server is away. */
  constructor(hear, gone) {
    this.version = 0;
    this.hear = hear;
    this.gone = gone;
    this.waiting = [];
    this.last = Promise.resolve();
    this.listen();
    document.addEventListener("visibilitychange", () => this.listen());
  }

  /** Hear events from now on, the last of each first, while the page is seen: browsers open few connections. */
  listen() {
    this.events?.close();
    this.events = null;
    if (document.hidden) return;
    const events = this.events = new EventSource("events");
    events.onopen = () => this.gone(false);
    events.onerror = () => {
      this.gone(true);
      if (events.readyState === EventSource.CLOSED) setTimeout(() => this.events === events && this.listen(), RETRY);
    };
    for (const [name, take] of Object.entries(this.hear)) {
      events.addEventListener(name, (event) => {
        const data = JSON.parse(event.data);
        if (name === "state") this.version = data.version;
        take(data);
        if (name === "state") for (const each of this.waiting.splice(0)) each();
      });
    }
  }

  /** Tell that the server is away, until it is heard again: events may have gone on where one question failed. */
  lose() {
    this.gone(true);
    this.listen();
  }

  /** Do something at the table once all before it is done and seen; the answer, or an Error. */
  act(name, more = {}) {
    const done = this.last.then(async () => {
      const { version } = this;
      const answer = await this.post("act", { version, do: name, ...more }, true);
      if (answer && this.version === version) await this.news();
      return answer;
    });
    this.last = done.catch(() => {});
    return done;
  }

  /** Wait for the next state, but not for ever. */
  news() {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      setTimeout(resolve, PATIENCE);
    });
  }

  /** Fetch a file that the server makes; an Error with the reason, in the language chosen, if refused. */
  async file(path) {
    const answer = await fetch(path).catch(() => null);
    if (!answer) this.lose();
    if (!answer?.ok) throw await refusal(answer);
    return answer.blob();
  }

  /** Post a body; null if another window was first, an Error with the reason, in the language chosen, if refused. */
  async post(path, body = {}, mayBeLate = false, signal = null) {
    let answer;
    try {
      answer = await fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal,
      });
    } catch {
      if (signal?.aborted) return null;
      this.lose();
      throw await refusal(null);
    }
    if (answer.status === 409 && mayBeLate) return null;
    if (!answer.ok) throw await refusal(answer);
    return answer.json();
  }
}

/** The error of an answer; without words if there is no answer, which the page tells otherwise. */
async function refusal(answer) {
  const { error } = (await answer?.json().catch(() => null)) ?? {};
  return new Error(answer ? reason(error ?? `${answer.status}`) : "");
}
