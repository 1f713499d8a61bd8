"""Long work in workers: the same as the library's, cancelled, and waited for."""

import asyncio
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import numpy as np
import pytest

import armdyn as ad
from armdyn.feasibility.findings import Findings
from armdyn.formats.motions import read_motion, write_motion
from armdyn.identification.logs.mcap_files import McapFile
from armdyn.program import example_program
from armdyn.report.wording import percent
from armdyn.studio.jobs.workers import Worker
from retiming.per_move.short_programs import LINE_AND_ARC, TURNING
from studio_pages import Failed, Page, RunningStudio

SINGLE = 2e-6
"""Relative rounding of float32, and a little."""
LOLA = {"do": "verify", "file": "lola15"}


def near(found: np.ndarray, expected: np.ndarray) -> bool:
    return np.allclose(found, expected, rtol=SINGLE, atol=SINGLE * np.abs(expected).max())


def test_a_verification_is_that_of_the_library(page: Page) -> None:
    run, arrays = page.ask_arrays("verify", text=example_program("lola15").read_text(), name="my.lirl")
    found = ad.verify("lola15")
    expected = json.loads(json.dumps(found.document()))
    assert run["document"] == expected
    assert run["verdict"] == Findings(found).verdict
    assert run["name"] == "my.lirl"
    assert not run["feasible"]
    assert run["robot"]["name"] == "lola15"
    for name, values in {
        "time": found.time,
        "q": found.run.q,
        "qd": found.run.qd,
        "motor_torque": found.run.torque,
        "q_programmed": found.plan.q,
        "motor_torque_programmed": found.demand.torque,
        "tau_programmed": found.demand.joint_torque,
    }.items():
        assert near(arrays[name], values), name
    assert near(arrays["poses"][:, -1, :3], found.achieved_tool)
    assert near(arrays["tool_programmed"][:, :3], found.programmed_tool)
    assert arrays["poses"].shape == (len(found.time), 7, 7)
    assert [channel["name"] for channel in run["channels"]] == [
        *("q", "qd", "qdd", "tau", "motor_torque", "motor_speed")
    ]
    assert len(run["violations"]) == len(found.violations)
    assert "motor 5 torque 503 %" in run["violations"][run["worst"]]["text"]  # that of the verdict
    assert run["times"] == (
        "Cycle time 11.496 s programmed, 11.496 s achieved; the tool leaves its path by 14.5 mm at most."
    )
    assert {each["action"] for each in run["suggestions"]} == {"retime", "slow"}
    assert any(step["progress"]["text"].startswith("planning my.lirl") for step in page.progress)


def test_terms_sum_up_to_the_torques(page: Page) -> None:
    _, run = page.ask_arrays("verify", **{k: v for k, v in LOLA.items() if k != "do"})
    found, arrays = page.ask_arrays("terms", of=LOLA)
    names = [channel["name"] for channel in found["channels"]]
    assert names == ["inertia", "velocity", "gravity", "friction", "contact"]
    assert np.allclose(sum(arrays[name] for name in names), run["tau"], atol=1e-3)


SWING = """program swing;
seq
move ptp joint(mainjoint(60, -30, 20, 0, 0, 0)) speed_ptp=1 acc_ptp=1 act_rob="lola15";
move ptp joint(mainjoint(-60, 20, -30, 0, 0, 0));
endseq
endprogram
"""
HEAVY = {"payload": {"mass": 25, "com": [0, 0, 0.1]}}


def test_one_click_makes_a_program_feasible(page: Page) -> None:
    before, _ = page.ask_arrays("verify", text=SWING, settings=HEAVY)
    assert not before["feasible"]
    assert [each["mode"] for each in before["suggestions"]] == [None, "per-move", "uniform", "optimal"]
    mended, _ = page.ask_arrays("retime", text=SWING, settings=HEAVY, mode="uniform", margin=0.02)
    after, _ = page.ask_arrays("verify", text=mended["retimed"]["text"], settings=HEAVY)
    assert after["feasible"], after["verdict"]
    slower = page.ask("slow", text=SWING, settings=HEAVY, shares=before["suggestions"][0]["shares"])
    hinted, _ = page.ask_arrays("verify", text=slower["text"], settings=HEAVY)
    assert hinted["feasible"], hinted["verdict"]


def test_one_click_mends_lola_15_by_its_text_alone(page: Page) -> None:
    before, _ = page.ask_arrays("verify", file="lola15")
    best = before["suggestions"][0]
    text = page.ask("read", path="lola15")["text"]
    how = {key: best[key] for key in ("shares", "turn_acceleration", "program")}
    with pytest.raises(Failed, match="of another text"):
        page.ask("slow", text=text.replace("\n\n", "\n", 1), **how)
    slower = page.ask("slow", text=text.replace("\r\n", "\n"), **how)
    after, _ = page.ask_arrays("verify", text=slower["text"])
    assert after["feasible"], after["verdict"]
    assert after["worst"] is None
    most = max(max(use["peak"], use["speed"]) for use in after["document"]["utilisation"])
    assert f"with {percent(most)} of its" in after["details"]
    assert after["command"] == "armdyn verify program.lirl"


def test_the_robot_that_a_program_names_comes_before_the_one_meant_otherwise(page: Page) -> None:
    unnamed = SWING.replace(' act_rob="lola15"', "")
    named, _ = page.ask_arrays("verify", text=SWING, otherwise="ur5")
    assert (named["robot"]["name"], named["command"]) == ("lola15", "armdyn verify program.lirl")
    meant, _ = page.ask_arrays("verify", text=unnamed, otherwise="lola15")
    assert meant["command"] == "armdyn verify program.lirl --robot lola15"
    assert meant["document"]["cycle_time"] == named["document"]["cycle_time"]
    given, _ = page.ask_arrays("verify", text=unnamed, robot="lola15", otherwise="ur5")
    assert given["command"] == meant["command"]
    retimed, _ = page.ask_arrays("retime", text=unnamed, otherwise="lola15", mode="uniform")
    assert retimed["command"] == "armdyn retime program.lirl --mode uniform --robot lola15"
    for text, otherwise in ((SWING, "planar2"), (unnamed, "lola15")):
        assert page.ask("check", text=text, otherwise=otherwise) == {"problems": [], "robot": "lola15"}
        assert "speed_ptp=0.5" in page.ask("slow", text=text, otherwise=otherwise, shares={"3": 0.5})["text"]
    with pytest.raises(Failed, match="choose a robot"):
        page.ask_arrays("verify", text=unnamed)


def test_a_robot_file_meant_otherwise_is_read_again_when_it_has_changed(page: Page, folder: Path) -> None:
    unnamed = SWING.replace(' act_rob="lola15"', "")
    file = folder / "meant.toml"
    torques: list[float] = []
    for mass in (0.0, 25.0):
        ad.save(ad.load("lola15").with_payload(mass, (0.0, 0.0, 0.1)) if mass else ad.load("lola15"), file)
        os.utime(file, ns=(0, int(1e9 * (1 + mass))))
        run, _ = page.ask_arrays("verify", text=unnamed, otherwise=file.name)
        torques.append(max(use["peak"] for use in run["document"]["utilisation"]))
    file.unlink()
    assert torques[1] > 1.05 * torques[0]


def test_a_turn_acceleration_of_the_page_is_written_into_what_it_mends(page: Page) -> None:
    planning = {"turn_acceleration": TURNING}
    before, _ = page.ask_arrays("verify", text=LINE_AND_ARC, planning=planning)
    slower = page.ask("slow", text=LINE_AND_ARC, shares=before["suggestions"][0]["shares"], **planning)
    uniform, _ = page.ask_arrays("retime", text=LINE_AND_ARC, mode="uniform", margin=0.02, planning=planning)
    for text in (slower["text"], uniform["retimed"]["text"]):
        assert "acc_ori=28.64" in text
        after, _ = page.ask_arrays("verify", text=text)
        assert after["feasible"], after["verdict"]


def test_a_program_with_a_uniform_speed_is_feasible_or_not_given(page: Page) -> None:
    text = page.ask("read", path="lola15")["text"]
    mended, _ = page.ask_arrays("retime", text=text, mode="uniform", margin=0.02)
    assert mended["feasible"]
    assert mended["retimed"]["factor"] > 1
    assert mended["retimed"]["text"] is None  # its tool turns by jumps, which slower programs have, too
    assert mended["verdict"].startswith("Not the program, but a retimed motion")
    assert "11.496 s as programmed" in mended["times"]
    assert mended["command"] == "armdyn retime program.lirl --mode uniform --margin 0.02"


@pytest.mark.slow
def test_a_suggestion_makes_the_program_feasible(page: Page) -> None:
    run, _ = page.ask_arrays("verify", file="lola15")
    modes = [each["mode"] for each in run["suggestions"] if each["action"] == "retime"]
    assert modes == ["per-move", "uniform", "optimal"]
    mended, _ = page.ask_arrays("retime", file="lola15", mode="per-move")
    again, _ = page.ask_arrays("verify", text=mended["retimed"]["text"])
    assert again["feasible"], again["verdict"]


def test_a_mistake_in_a_program_has_its_place(page: Page) -> None:
    with pytest.raises(Failed) as told:
        page.ask("verify", text="program X;\nseq\n  mve ptp;\nendseq\nendprogram\n", name="x.lirl")
    assert told.value.error["line"] == 3
    assert told.value.error["message"].startswith("x.lirl, line 3")


def test_texts_and_files_are_given_once(page: Page) -> None:
    with pytest.raises(Failed, match="by text or by file"):
        page.ask("verify")
    with pytest.raises(Failed, match="not below the folder"):
        page.ask("verify", file="../x.lirl")
    with pytest.raises(Failed, match="no such file"):
        page.ask("verify", file="missing.lirl", robot="ur5")


@pytest.fixture(scope="module")
def recording(folder: Path) -> str:
    arm = ad.load("planar2")
    time = np.linspace(0.0, 1.0, 51)
    q = np.stack([0.2 * time**2, -0.1 * time], axis=1)
    dyn = ad.Dynamics(arm)
    tau = dyn.inverse(q, np.zeros_like(q), np.zeros_like(q))
    write_motion(folder / "run.csv", time, {"q": q, "tau": tau})
    write_motion(folder / "run.parquet", time, {"q": q, "tau": tau})
    return "run.csv"


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_run_in_a_file_is_shown(page: Page, recording: str, suffix: str, folder: Path) -> None:
    run, arrays = page.ask_arrays("run_file", file=f"run.{suffix}", robot="planar2")
    motion = read_motion(folder / recording, ad.load("planar2"))
    assert run["kind"] == "recording"
    assert run["feasible"] is None
    assert run["verdict"] == f"run.{suffix}: {len(motion.time)} samples"
    assert near(arrays["q"], motion.q)
    assert near(arrays["tau"], motion.columns["tau"])
    assert {"tau", "tau_predicted"} <= {channel["name"] for channel in run["channels"]}
    with pytest.raises(Failed, match="choose a robot"):
        page.ask("run_file", file=f"run.{suffix}")


def test_downloads_are_the_files_of_the_command_line(studio: RunningStudio, page: Page, folder: Path) -> None:
    found = ad.verify("lola15")
    for what in ("csv", "parquet", "mcap", "report"):
        told = page.ask("download", what=what, of=LOLA)
        data = _fetched(studio, told["url"], told["name"])
        target = folder / f"fetched.{told['name'].split('.')[-1]}"
        target.write_bytes(data)
        assert len(data) == told["size"]
        if what in ("csv", "parquet"):
            motion = read_motion(target, found.plan.robot)
            assert np.allclose(motion.q, found.run.q)
        elif what == "report":
            assert b"lola15" in data
            assert b"Content-Security-Policy" in data
        else:
            with target.open("rb") as stream:
                log = McapFile(stream, target)
                assert log.metadata("armdyn")["robot"] == "lola15"
                assert len(list(log.messages("/state"))) == len(found.time)
    run, arrays = page.ask_arrays("run_file", file="fetched.mcap")
    assert run["robot"]["name"] == "lola15"
    assert near(arrays["q"], found.run.q)
    for file in folder.glob("fetched.*"):
        file.unlink()


def _fetched(studio: RunningStudio, url: str, name: str) -> bytes:
    """A file, which is there once."""
    headers = {"Cookie": studio.cookie}
    assert httpx.get(studio.url + url).status_code == 403
    answer = httpx.get(studio.url + url, headers=headers)
    assert answer.status_code == 200
    assert name in answer.headers["content-disposition"]
    assert "sandbox" in answer.headers["content-security-policy"]
    assert httpx.get(studio.url + url, headers=headers).status_code == 404
    return answer.content


def test_a_study_has_rows_figures_and_a_report(studio: RunningStudio, page: Page) -> None:
    task = {"robot": "planar2", "kind": "gravity", "options": {}}
    found = page.ask("study", **task)
    expected = ad.study(ad.load("planar2"), "gravity")
    assert found["document"]["rows"] == json.loads(json.dumps(expected.document()["rows"]))
    assert found["figures"]
    assert all(figure["svg"].startswith("<svg") for figure in found["figures"])
    told = page.ask("download", what="report", of={"do": "study", **task})
    assert b"planar2" in _fetched(studio, told["url"], "planar2-gravity.html")
    with pytest.raises(Failed, match="takes no nonsense"):
        page.ask("study", robot="planar2", kind="gravity", options={"nonsense": 1})
    with pytest.raises(Failed, match="no study"):
        page.ask("study", robot="planar2", kind="nonsense")


def test_equations_are_those_of_the_library(studio: RunningStudio, page: Page) -> None:
    task = {"robot": "planar2", "quantity": "mass_matrix"}
    found = page.ask("derive", **task)
    expected = ad.derive(ad.load("planar2"), "mass_matrix")
    assert [each["latex"] for each in found["equations"]] == [each.latex() for each in expected]
    one = page.ask("derive", element=[1, 2], symbolic=True, **task)
    assert len(one["equations"]) == 1
    short = page.ask("derive", robot="planar2", quantity="gravity", simplify=0.2)
    assert short["equations"][0]["short"][0]["latex"]
    told = page.ask("download", what="python", of={"do": "derive", **task})
    assert _fetched(studio, told["url"], told["name"]).decode().strip() == expected.python().strip()
    with pytest.raises(Failed, match=r'there is no "csv"'):
        page.ask("download", what="csv", of={"do": "derive", **task})


def test_a_job_is_cancelled_and_the_next_is_done(page: Page) -> None:
    job = page.send("derive", robot="puma560", quantity="torque", symbolic=True)
    while not page.progress or page.progress[-1]["progress"]["queued"]:
        message, _ = page.receive()
        page.progress.append(message)
    cancel = page.send("cancel", job=job)
    answers = [page.receive()[0] for _ in range(2)]
    while not any(answer.get("id") == cancel for answer in answers):
        answers.append(page.receive()[0])
    told = next(answer for answer in answers if answer["id"] == job and "error" in answer)
    assert told["error"]["cancelled"]
    assert page.ask("derive", robot="pendulum", quantity="gravity")["equations"]
    with pytest.raises(Failed, match="no job"):
        page.ask("cancel", job=job)


def test_jobs_of_one_page_are_bounded_and_wait_in_turn(page: Page) -> None:
    first = page.send("derive", robot="puma560", quantity="torque", symbolic=True)
    others = [page.send("derive", robot="pendulum", quantity="gravity") for _ in range(8)]
    with pytest.raises(Failed, match="8 jobs under way"):
        page.answer(others[-1])
    assert page.ask("state", robot="pendulum", q=[0.1])["torque"]  # what is quick does not wait
    page.ask("cancel", job=first)
    for job in others[:-1]:
        assert page.answer(job)[0]["equations"]


def test_who_leaves_leaves_no_work_behind(studio: RunningStudio, page: Page) -> None:
    with studio.page() as leaving:
        job = leaving.send("derive", robot="puma560", quantity="torque", symbolic=True)
        while leaving.receive()[0].get("progress", {}).get("queued", False):
            pass
        assert job
    assert page.ask("derive", robot="pendulum", quantity="gravity")["equations"]


def test_a_worker_ended_again_and_again_ends_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    async def ended() -> None:
        worker = await Worker.created()
        until = time.monotonic() + 0.05
        while time.monotonic() < until:
            worker.kill()
        await worker.gone()

    with ThreadPoolExecutor(1) as beside:  # a browser's loop may run in this thread
        for _ in range(5):
            beside.submit(asyncio.run, ended()).result()
    assert not caplog.records
