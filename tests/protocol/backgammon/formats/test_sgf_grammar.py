import pytest

from protocol.backgammon.formats.sgf_grammar import parse_collection, property_text


def read(text):
    """The main line of each tree as the properties of its nodes."""
    found = parse_collection(text)
    assert found.broken is None
    return [[node.properties for node in tree] for tree in found.trees]


def test_nodes_have_their_properties_with_all_their_values():
    assert read("(;FF[4]AB[a][b] ;\nB[31]AB[c])") == [
        [{"FF": ["4"], "AB": ["a", "b"]}, {"B": ["31"], "AB": ["c"]}]
    ]


def test_values_of_a_property_told_twice_are_put_together():
    assert read("(;AB[a]C[x]AB[b])") == [[{"AB": ["a", "b"], "C": ["x"]}]]


def test_first_value_is_told_or_none():
    ((node,),) = parse_collection("(;AB[a][b])").trees
    assert (node.value("AB"), node.value("C"), node.offset) == ("a", "", 1)


def test_first_variation_is_kept_wherever_there_are_several():
    text = "(;N[1](;N[2](;N[3])(;N[4]))(;N[5];N[6]))(;N[7])"
    assert read(text) == [[{"N": ["1"]}, {"N": ["2"]}, {"N": ["3"]}], [{"N": ["7"]}]]


def test_lower_case_letters_of_a_name_are_passed_over():
    assert read("(;GaMe[6])") == [[{"GM": ["6"]}]]


def test_what_stands_before_the_first_tree_is_passed_over():
    assert read("a (short) note [x] ( ;N[1])") == [[{"N": ["1"]}]]


def test_value_is_written_and_read_again():
    value = "a \\ and [brackets] \\]"
    assert read(f"(;{property_text('C', [value, ''])})") == [[{"C": [value, ""]}]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\r"])
def test_escaped_end_of_a_line_is_left_out(end):
    assert read(f"(;C[one\\{end}line])") == [[{"C": ["oneline"]}]]


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("(;N[1]", 6, "a bracket ) is missing"),
        ("(;N[1])) ", 7, "there is no tree to close"),
        ("(;N[1]);N[2]", 7, "a node stands outside of a tree"),
        ("(;N[1])(N[2])", 8, "the property N stands outside of a node"),
        ("(;N[1](;N[2])N[3])", 13, "the property N stands outside of a node"),
        ("(;N[1](N[2]))", 7, "the property N stands outside of a node"),
        ("(;N[1])((;N[2]))", 8, "a tree begins with a node"),
        ("(;N;N[1])", 3, "the property N has no value"),
        ("(;NB)", 4, "the property NB has no value"),
        ("(;[1])", 2, "a value stands without a property"),
        ("(;N[1];[2])", 7, "a value stands without a property"),
        ("(;N[1](;N[2])[3])", 13, "a value stands without a property"),
        ("(;N[1]5)", 6, "cannot read '5)'"),
    ],
)
def test_text_against_the_grammar_is_read_up_to_there(text, place, reason):
    found = parse_collection(text)
    assert found.broken == (place, reason)
    assert found.trees[0][0].offset == 1
