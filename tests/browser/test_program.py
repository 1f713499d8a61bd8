"""Writing a program, running it, and mending it."""

import re

from playwright.sync_api import expect

from browser_page import QUICK_PROGRAM, StudioPage


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


def test_cycle_times_of_moves(page: StudioPage) -> None:
    page.run(QUICK_PROGRAM)
    page.tab("Moves 2")
    rows = page.page.get_by_role("table", name="Cycle times of moves").get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("yes")
    expect(rows.nth(2)).to_contain_text("no")
    rows.nth(2).get_by_role("button", name="line 8").click()
    expect(page.page.get_by_label("Program line")).to_have_text(re.compile("line [78]"))


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
    violations = page.page.get_by_role("list", name="Violations")
    violations.get_by_role("button", name=re.compile("line 32 ?motor 5")).first.click()
    expect(page.page.get_by_label("Program line")).to_have_text("line 32")
    assert page.line == "32"
    first = page.page.get_by_role("group", name="Suggestions").get_by_role("button").first
    expect(first).to_have_text(re.compile("Turn the tool gradually between moves"))
    expect(first).to_have_accessible_description(re.compile(r"^14\.\d+ s instead of 11\.5"))
    first.click()
    expect(verdict).to_contain_text(re.compile("^Feasible.*Cycle time 14"))
    expect(page.editor).to_contain_text("acc_ori=25")  # the text says it all
    expect(page.page.get_by_role("note", name="Planned with")).to_be_hidden()
    page.button("Export").click()
    page.page.get_by_role("menuitem", name=re.compile("Command line")).click()
    page.page.wait_for_function(
        "async () => (await navigator.clipboard.readText()) === 'armdyn verify lola15.lirl'"
    )


def test_what_a_program_is_planned_with_is_seen_and_on_the_command_line(page: StudioPage) -> None:
    page.button("Run settings").click()
    page.page.get_by_role("spinbutton", name=re.compile("Turn acceleration")).fill("0.5")
    page.page.keyboard.press("Escape")
    expect(page.page.get_by_role("note", name="Planned with")).to_contain_text("0.5 rad/s²")
    page.run()
    page.button("Export").click()
    page.page.get_by_role("menuitem", name=re.compile("Command line")).click()
    page.page.wait_for_function(
        "async () => (await navigator.clipboard.readText()).includes('--turn-acceleration 0.5')"
    )


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
    dialog.get_by_label("File name").fill("kept.lirl")
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
