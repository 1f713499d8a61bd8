"""Writing a program, running it, and mending it."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from browser_page import QUICK_PROGRAM, StudioPage
from studio_process import StudioProcess


def test_errors_are_underlined_as_one_types(page: StudioPage) -> None:
    page.type_program(QUICK_PROGRAM.replace("speed_ptp", "spede_ptp"))
    underlined = page.page.locator(".cm-lintRange-error")
    expect(underlined).to_have_text("spede_ptp")
    underlined.hover()
    expect(page.page.locator(".cm-tooltip-lint")).to_contain_text('did you mean "speed_ptp"?')
    expect(page.page.get_by_role("img", name="Not saved")).to_be_visible()


def test_words_have_colours(page: StudioPage) -> None:
    page.type_program(QUICK_PROGRAM)
    colour = "e => getComputedStyle(e).color"
    line = page.page.locator(".cm-line").nth(6)
    colours = {
        line.locator("span", has_text=re.compile(f"^{word}$")).first.evaluate(colour)
        for word in ("move", "ptp", "speed_ptp", "0.8")
    }
    assert len(colours) == 3  # move and ptp are of a kind


def test_a_run_says_what_the_motors_cannot_do_and_leads_there(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    expect(page.page.get_by_role("status", name="Verdict")).to_contain_text("Not feasible")
    finding = page.page.get_by_role("list", name="Violations").get_by_role("button").first
    expect(finding).to_contain_text("line 8")
    finding.click()
    expect(page.page.get_by_label("Program line")).to_have_text("line 8")
    assert float(page.page.get_by_role("slider", name="Time").input_value()) > 0
    expect(page.page.locator(".cm-now-line")).to_contain_text("speed=900")
    assert page.line == "8"


def test_the_list_of_violations_is_one_stop_of_the_tab_key(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    rows = page.page.get_by_role("list", name="Violations").get_by_role("button")
    rows.first.focus()
    page.page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    page.page.keyboard.press("Enter")
    expect(rows.nth(1)).to_have_attribute("aria-current", "true")
    page.page.keyboard.press("Tab")
    assert not page.page.evaluate("() => document.activeElement.matches('.finding')")
    page.page.keyboard.press("Shift+Tab")
    expect(rows.nth(1)).to_be_focused()


def test_cycle_times_of_moves(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    page.tab("Moves 2")
    rows = page.page.get_by_role("table", name="Cycle times of moves").get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("yes")
    expect(rows.nth(2)).to_contain_text("no")
    first, second = (rows.nth(k).get_by_role("button", name=f"line {line}") for k, line in ((1, 7), (2, 8)))
    first.focus()
    page.page.keyboard.press("ArrowDown")
    expect(second).to_be_focused()
    expect(first).to_have_attribute("tabindex", "-1")
    second.click()
    expect(page.page.get_by_label("Program line")).to_have_text("line 8")
    page.page.keyboard.press("Home")
    page.page.keyboard.press("Shift+ArrowRight")
    expect(page.page.get_by_label("Program line")).to_have_text("line 8")


def test_a_suggestion_makes_it_feasible_and_can_be_undone(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    page.page.get_by_role("group", name="Suggestions").get_by_role("button").first.click()
    expect(page.page.get_by_role("status", name="Verdict")).to_contain_text(re.compile("^Feasible"))
    slowed = page.editor.inner_text()
    assert "speed_ptp=0.8" in slowed
    assert "speed=900" not in slowed
    page.button("Undo").click()
    expect(page.editor).to_contain_text("speed=900")


def test_lola_15_is_made_feasible_without_reading_anything(page: StudioPage) -> None:
    page.run()  # the example is in the editor when the studio opens
    verdict = page.page.get_by_role("status", name="Verdict")
    expect(verdict).to_contain_text("motor 5 needs 503 % of its torque")
    expect(verdict).to_contain_text("leaves its path by 14.5 mm")
    expect(verdict).to_contain_text("91 violations")
    expect(page.page.get_by_role("tab", name="Violations 91")).to_be_visible()
    verdict.get_by_role("button", name="Show it").click()
    assert page.line == "32"
    assert page.copied_command() == "armdyn verify lola15"
    violations = page.page.get_by_role("list", name="Violations")
    violations.get_by_role("button", name=re.compile("line 32 ?motor 5")).first.click()
    expect(page.page.get_by_label("Program line")).to_have_text("line 32")
    assert page.line == "32"
    first = page.page.get_by_role("group", name="Suggestions").get_by_role("button").first
    expect(first).to_have_text(re.compile("Turn the tool gradually between moves"))
    expect(first).to_have_accessible_description(re.compile(r"^14\.031 s instead of 11\.496 s"))
    first.click()
    expect(verdict).to_contain_text(re.compile(r"^Feasible.*Cycle time 14\.031 s.*most used is motor \d"))
    expect(page.editor).to_contain_text("acc_ori=25")  # the text says it all
    expect(page.page.get_by_role("note", name="Planned with")).to_be_hidden()
    page.button("Export").click()
    expect(page.page.get_by_role("menuitem", name=re.compile("Command line.*save first"))).to_be_disabled()
    page.page.keyboard.press("Escape")
    page.save_as("mended lola")
    assert page.copied_command() == "armdyn verify 'mended lola.lirl'"


def test_a_program_is_run_for_its_own_robot_however_soon(page: StudioPage) -> None:
    unnamed = QUICK_PROGRAM.replace(' act_rob="lola_15"', "").replace("900", "1000")
    outdated = page.page.get_by_text("of an earlier text")
    for text, command in (
        (QUICK_PROGRAM, "armdyn verify some.lirl"),
        (unnamed, "armdyn verify other.lirl --robot lola15"),
    ):
        page.type_program(text)
        page.page.keyboard.press("Control+Enter")  # before it is checked what the text names
        expect(page.page.get_by_role("status", name="Verdict")).to_contain_text("Not feasible")
        expect(outdated).to_be_hidden()
        page.save_as(command.split()[2])
        assert page.copied_command() == command


def test_a_retimed_motion_does_not_pass_for_the_program(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    page.save_as("quick.lirl")
    page.button("Other ways").click()
    page.page.get_by_role("menuitem", name=re.compile("As fast as")).click()
    verdict = page.page.get_by_role("status", name="Verdict")
    expect(verdict).to_contain_text("Not the program, but a retimed motion")
    expect(verdict).to_contain_text("No program text moves so: export")
    expect(verdict).not_to_have_class(re.compile("good"))
    assert page.copied_command() == "armdyn retime quick.lirl --mode optimal"


def test_results_are_marked_when_they_are_not_of_what_is_shown(page: StudioPage) -> None:
    unsaved, outdated = (
        page.page.get_by_role("img", name="Not saved"),
        page.page.get_by_role("status", name="Outdated"),
    )
    page.run(QUICK_PROGRAM)
    results = page.page.get_by_role("region", name="Results")
    suggestion = page.page.get_by_role("group", name="Suggestions").get_by_role("button").first
    expect(outdated).to_be_empty()
    page.editor.click()
    page.page.keyboard.press("Control+Home")
    page.page.keyboard.press("Enter")
    expect(outdated).to_contain_text("of an earlier text: run again")
    expect(suggestion).to_be_disabled()
    expect(suggestion).to_have_accessible_description(re.compile("Run again first"))
    page.button("Undo").click()
    expect(outdated).to_be_empty()
    expect(suggestion).to_be_enabled()
    page.tab("Pose")
    page.page.get_by_role("spinbutton", name="Payload mass").fill("5")
    page.page.keyboard.press("Enter")
    page.tab("Program")
    expect(outdated).to_contain_text("of other settings: run again")
    expect(page.page.get_by_role("note", name="Planned with")).to_contain_text("a payload of 5 kg")
    page.button("As by default").click()
    expect(outdated).to_be_empty()
    page.type_program(QUICK_PROGRAM.replace("move lin", "mve lin"))
    page.button("Run").click()
    alert = page.page.get_by_role("alert").filter(visible=True)
    expect(alert).to_contain_text("line 8")
    expect(outdated).to_contain_text("of an earlier text")
    page.type_program(QUICK_PROGRAM)
    expect(alert).to_have_count(0)
    page.button("Open").click()
    page.page.get_by_role("dialog", name="Not saved").get_by_role("button", name="Leave them").click()
    page.page.get_by_role("dialog", name="Open").get_by_role("button", name="ur5_palletising").click()
    expect(results).to_be_hidden()
    page.ready("ur5")
    page.editor.click()
    page.page.keyboard.type("x")
    expect(unsaved).to_be_visible()
    page.button("Undo").click()
    expect(unsaved).to_have_count(0)
    page.run()
    page.button("New program").click()
    expect(results).to_be_hidden()
    expect(page.button("Play")).to_be_disabled()


def test_what_a_program_is_planned_with_is_seen_and_on_the_command_line(page: StudioPage) -> None:
    page.button("Run settings").click()
    page.page.get_by_role("spinbutton", name=re.compile("Turn acceleration")).fill("0.5")
    page.page.keyboard.press("Escape")
    expect(page.page.get_by_role("note", name="Planned with")).to_contain_text("0.5 rad/s²")
    page.run()
    assert page.copied_command() == "armdyn verify lola15 --turn-acceleration 0.5"


def test_a_run_can_be_cancelled(page: StudioPage) -> None:
    page.type_program(QUICK_PROGRAM.replace("252", "251"))
    page.button("Run").click()
    page.button("Cancel").click()
    expect(page.page.get_by_role("status", name="Progress")).to_be_hidden()
    expect(page.page.get_by_label("Messages")).to_contain_text("cancel")
    expect(page.button("Run")).to_be_enabled()


def test_a_program_that_cannot_run_is_told_with_its_line(page: StudioPage) -> None:
    page.type_program(
        QUICK_PROGRAM.replace("endseq", "move lin position(9000, 0, 0) speed=100 acc=100;\nendseq")
    )
    page.button("Run").click()
    alert = page.page.get_by_role("alert").filter(visible=True)
    expect(alert).to_contain_text("line 9")
    alert.get_by_role("button", name="Go to line 9").click()
    assert page.line == "9"


def test_programs_are_saved_and_opened_as_files(page: StudioPage) -> None:
    page.type_program(QUICK_PROGRAM)
    page.button("Save").click()
    dialog = page.page.get_by_role("dialog", name="Save program")
    name = dialog.get_by_label("File name")
    for wrong, said in (("  ", "a name"), ("x" * 300, "too many"), ("..", "begins with a dot")):
        name.fill(wrong)
        dialog.get_by_role("button", name="Save").click()
        expect(dialog.get_by_role("alert")).to_contain_text(said)
        expect(name).to_have_value(wrong)
    name.fill("kept.lirl")
    dialog.get_by_role("button", name="Save").click()
    expect(page.page.locator(".document-name")).to_have_text("kept.lirl")
    expect(page.page.get_by_role("img", name="Not saved")).to_have_count(0)
    page.button("New program").click()
    expect(page.editor).to_contain_text("program untitled;")
    page.button("Open").click()
    page.page.get_by_role("dialog", name="Open").get_by_role("button", name="kept.lirl").click()
    expect(page.editor).to_contain_text("program quick;")
    page.type_program("changed")
    page.button("New program").click()
    page.page.get_by_role("dialog", name="Not saved").get_by_role("button", name="Cancel").click()
    expect(page.editor).to_contain_text("changed")


def test_what_another_page_has_saved_is_not_overwritten_unasked(
    page: StudioPage, open_page: Callable[..., StudioPage], studio: StudioProcess
) -> None:
    page.type_program("{ first }")
    page.save_as("both.lirl")
    file = studio.folder / "both.lirl"
    other = open_page()
    other.ready()
    other.button("Open").click()
    other.page.get_by_role("dialog", name="Open").get_by_role("button", name="both.lirl").click()
    expect(other.editor).to_have_text("{ first }")
    other.type_program("{ of the other }")
    other.button("Save", exact=True).click()
    expect(other.page.get_by_label("Messages")).to_contain_text("Saved both.lirl")
    page.type_program("{ mine }")
    question = page.page.get_by_role("dialog", name="Replace file")
    page.button("Save", exact=True).click()
    expect(question).to_contain_text("has changed since it was read")
    question.get_by_role("button", name="Cancel").click()
    expect(page.page.get_by_role("img", name="Not saved")).to_be_visible()
    assert file.read_text() == "{ of the other }"
    file.unlink()
    page.editor.press("Control+s")
    expect(question).to_contain_text("is gone")
    question.get_by_role("button", name="Save all the same").click()
    expect(page.page.get_by_role("img", name="Not saved")).to_have_count(0)
    assert file.read_text() == "{ mine }"
    page.editor.press("Control+Shift+S")
    page.page.get_by_role("dialog", name="Save program").get_by_label("File name").fill("copy")
    page.page.keyboard.press("Enter")
    expect(page.page.locator(".document-name")).to_have_text("copy.lirl")
    assert (studio.folder / "copy.lirl").read_text() == "{ mine }"
