// What page and server say to each other. Generated: `python -m armdyn.studio.messages` writes this file.

/** A binary frame begins with this, then the length of its JSON, both u32 little-endian. */
export const MAGIC = 0x41524d31;

/** Characters that a program may have. */
export const LARGEST_TEXT = 1048576;

/** What holds a motion back where. */
export interface ActiveLimit {
  begin: number;
  end: number;
  joint: number | null;
  quantity: string;
  line: number | null;
}

/** An array of a binary frame: float32, row by row, one behind the other in this order. */
export interface ArrayPlace {
  name: string;
  shape: number[];
}

/** A body, what it looks like, and its inertia. */
export interface BodyScene {
  name: string;
  /** Position among the bodies; -1: the base */
  parent: number;
  visuals: Visual[];
  mass: number;
  com: number[];
  /** Of even density, with the same mass and inertia */
  ellipsoid: EllipsoidScene | null;
}

/** A posture for a pose. */
export interface Branch {
  q: number[];
  name: string;
  within_limits: boolean;
  /** The largest difference of any joint from where the arm is [rad or m] */
  distance: number;
}

/** End a job; the job itself is answered by an error that says so. */
export interface CancelRequest {
  id: number;
  do: "cancel";
  job: number;
}

/** A robot that comes with armdyn. */
export interface CatalogRobot {
  name: string;
  joints: number;
  source: string;
  description: string;
}

/** A quantity to plot: which arrays have it, and what its series are. */
export interface Channel {
  name: string;
  label: string;
  series: string[];
  /** Of each series */
  units: string[];
  /** Array over `time_programmed` */
  programmed: string | null;
  /** Array over `time` */
  achieved: string | null;
}

/** All that is wrong with a program. */
export interface CheckRequest {
  id: number;
  /** By default the catalog's robot that the program names */
  robot?: string | null;
  /** The robot of a program that names none */
  otherwise?: string | null;
  settings?: Settings;
  do: "check";
  text: string;
}

/** All that is wrong, in the order of the text. */
export interface CheckResult {
  problems: Problem[];
  /** How to ask for the robot that the program is for */
  robot: string | null;
}

/** The state for others to copy. */
export interface Commands {
  python: string;
  shell: string;
}

/** Job: derive. */
export interface DeriveRequest {
  id: number;
  do: "derive";
  robot: string;
  quantity: string;
  element?: number[] | null;
  symbolic?: boolean;
  inertia?: "gyration" | "origin" | "centre";
  payload_symbols?: boolean;
  coordinates?: "relative" | "absolute";
  /** Mean error over mean value at most */
  simplify?: number | null;
  /** The best short form with so many operations instead */
  operations?: number | null;
  settings?: Settings;
}

/** Equations, and how their symbols are defined. */
export interface DeriveResult {
  quantity: string;
  robot: string;
  motors: string;
  equations: EquationText[];
  /** In LaTeX */
  definitions: string[];
}

/** Explicit equations. */
export interface DeriveTask {
  do: "derive";
  robot: string;
  quantity: string;
  element?: number[] | null;
  symbolic?: boolean;
  inertia?: "gyration" | "origin" | "centre";
  payload_symbols?: boolean;
  coordinates?: "relative" | "absolute";
  /** Mean error over mean value at most */
  simplify?: number | null;
  /** The best short form with so many operations instead */
  operations?: number | null;
  settings?: Settings;
}

/** Nothing more to say. */
export type Done = Record<string, never>;

/** Where a file can be fetched, once. */
export interface Download {
  url: string;
  name: string;
  size: number;
}

/** Job: a file of a run, a study or equations, to be fetched once from the address in the answer. */
export interface DownloadRequest {
  id: number;
  do: "download";
  what: "csv" | "parquet" | "mcap" | "report" | "text" | "latex" | "markdown" | "python" | "c";
  of: VerifyTask | RetimeTask | RunFileTask | StudyTask | DeriveTask;
}

/** A motor; null is unknown. */
export interface DriveScene {
  name: string;
  joint: string | null;
  /** Peak torque [N m] */
  torque: number | null;
  rated_torque: number | null;
  /** [rad/s] */
  speed: number | null;
  /** Turns of the motor for one of its joint; null where gears couple several, or a ratio changes */
  ratio: number | null;
}

/** An ellipsoid: the unit ball, scaled by its radii along x, y, z, then placed. */
export interface EllipsoidScene {
  matrix: number[];
  /** null where nothing bounds it */
  radii: (number | null)[];
}

/** What a motor can give: an outline of speed [rad/s] and torque [N m]; empty where nothing is known. */
export interface Envelope {
  motor: string;
  /** Position of the joint that it mainly moves */
  joint: number;
  points: number[][];
}

/** One equation. */
export interface EquationText {
  name: string;
  index: number[];
  text: string;
  latex: string;
  operations: number;
  /** Where short forms were asked for */
  short: Short[];
  note: string;
}

/** Why there is no answer, in one sentence, and where in a program. */
export interface Failure {
  message: string;
  /** From 1 */
  line: number | null;
  column: number | null;
  cancelled: boolean;
  /** Whether `overwrite` would do it all the same: the file there is not the one that was read */
  conflict: boolean;
}

/** A picture of a study. */
export interface Figure {
  name: string;
  title: string;
  caption: string;
  svg: string;
}

/** A file below the folder. */
export interface FileEntry {
  path: string;
  kind: "robot" | "program" | "run" | "study";
  size: number;
  /** [s] since 1970 */
  changed: number;
}

/** A file's text. */
export interface FileText {
  path: string;
  text: string;
  /** Whether it can be saved under this name: not an example */
  writable: boolean;
  /** Tells this file from others; null of an example */
  digest: string | null;
}

/** The files below the folder. */
export interface Files {
  files: FileEntry[];
  /** False where there are more than are listed */
  complete: boolean;
}

/** Someone saved a file. */
export interface FilesChanged {
  event: "files";
  files: FileEntry[];
}

/** The robots, programs and runs below the folder. */
export interface FilesRequest {
  id: number;
  do: "files";
}

/** The robot that is shown first, at its home: a page draws it without asking again. */
export interface FirstRobot {
  robot: RobotScene;
  /** Of the bodies in turn, then of the tool */
  poses: number[][];
}

/** What there is. */
export interface Hello {
  version: string;
  folder: string;
  robots: CatalogRobot[];
  /** Programs that come with armdyn */
  examples: string[];
  files: FileEntry[];
  opened: Opened | null;
  /** Kinds of studies, and the options of each */
  studies: Record<string, string[]>;
  /** What can be derived */
  quantities: string[];
  /** What is drawn first; null where that is a run, or cannot be read: who asks for it is told why */
  first: FirstRobot | null;
}

/** The first request: what there is. */
export interface HelloRequest {
  id: number;
  do: "hello";
}

/** A joint that moves on its own; null is unlimited or unknown. */
export interface JointScene {
  name: string;
  kind: "revolute" | "prismatic";
  /** The body that it carries */
  body: number;
  /** In that body's frame */
  axis: number[];
  /** A point of the axis in that body's frame: where the joint is [m] */
  at: number[];
  lower: number | null;
  upper: number | null;
  velocity: number | null;
  acceleration: number | null;
  effort: number | null;
}

/** Of joints and motors; null is none, or unknown. */
export interface Limits {
  position: (number[] | null)[];
  velocity: (number | null)[];
  acceleration: (number | null)[];
  effort: (number | null)[];
  motor_torque: (number | null)[];
  motor_speed: (number | null)[];
}

/** When residuals raise an alarm: a share of the joints' largest torques, or torques. */
export interface LiveAlarmRequest {
  id: number;
  stream?: string | null;
  do: "live_alarm";
  share?: number | null;
  /** [N m or N] of each joint, or one for all */
  absolute?: number[] | null;
  /** [s] for which a residual must be beyond */
  duration?: number | null;
}

/** Samples since the last batch, at most 50 batches a second; one without samples each half second. Arrays: time (k) from `begin`; q, qd, measured, predicted, residual (k, n), NaN at a gap and where nothing is measured; poses (bodies + 1, 7) of the last one. */
export interface LiveBatch {
  event: "live";
  stream: string;
  /** [s] by the controller's clock, from which `time` counts */
  begin: number;
  /** Samples before these that this page was too slow for */
  skipped: number;
  /** A few times a second, and with events */
  status: LiveStatus | null;
  events: LiveEvent[];
  arrays: ArrayPlace[];
}

/** Something worth saying. */
export interface LiveEvent {
  number: number;
  /** [s] by the controller's clock */
  time: number;
  kind: "alarm" | "over" | "gap" | "problem" | "connection" | "recording" | "settings";
  text: string;
  /** From 0 */
  joint: number | null;
}

/** Begin a recording below the folder, or finish it. */
export interface LiveRecordRequest {
  id: number;
  stream?: string | null;
  do: "live_record";
  on: boolean;
  /** A new .mcap file; by default named by robot, day and time */
  path?: string | null;
}

/** How far a recording is. */
export interface LiveRecording {
  path: string;
  samples: number;
  bytes: number;
  /** Things that the disk was too slow for */
  lost: number;
  /** Why it has stopped by itself */
  failure: string | null;
  open: boolean;
}

/** A stream that is watched. */
export interface LiveScene {
  stream: LiveStream;
  joints: string[];
  /** Of the torques or forces of each joint */
  units: string[];
  /** What its samples have */
  fields: string[];
  threshold: LiveThreshold;
  settings: Settings;
  window: number;
  velocity: "measured" | "derived" | null;
}

/** What the torque is predicted with. */
export interface LiveSettingsRequest {
  id: number;
  stream?: string | null;
  do: "live_settings";
  settings?: Settings;
  /** [s] of the filter */
  window?: number | null;
  /** As sent, or from positions; by default as sent where it is */
  velocity?: "measured" | "derived" | null;
}

/** How a stream is doing. */
export interface LiveStatus {
  connected: boolean;
  /** [Hz] of the last seconds */
  rate: number;
  /** [s] by which the last sample came later than the quickest */
  behind: number;
  /** [s] since the last sample; null: none has come */
  silent: number | null;
  /** [s] by which torques are told after they were measured */
  delay: number;
  received: number;
  lost: number;
  gaps: number;
  late: number;
  refused: number;
  /** Of each joint */
  alarm: boolean[];
  /** The largest residuals [N m or N] */
  peaks: number[];
  recording: LiveRecording | null;
}

/** A stream that there is. */
export interface LiveStream {
  name: string;
  /** How to ask for it */
  robot: string;
  /** Another one where another robot sends under the same name: watch it again */
  number: number;
  connected: boolean;
}

/** A stream has come or gone. */
export interface LiveStreams {
  event: "live_streams";
  streams: LiveStream[];
}

/** Beyond what a residual raises an alarm. */
export interface LiveThreshold {
  /** [N m or N]; null: no alarm, as the largest torque of the joint is not known */
  limits: (number | null)[];
  /** [s] */
  duration: number;
}

/** Watch a stream, by default the one that was begun last, or no longer. */
export interface LiveWatchRequest {
  id: number;
  stream?: string | null;
  do: "live_watch";
  on: boolean;
  /** Of its past that are told first */
  seconds?: number;
}

/** What there is to watch, and what is watched. */
export interface LiveWatchResult {
  streams: LiveStream[];
  watching: LiveScene | null;
}

/** What the motors do to hold a state; null where it is not known. */
export interface Motor {
  names: string[];
  torque: (number | null)[];
  /** Of the torque-speed envelope */
  share: (number | null)[];
}

/** One move, programmed and achieved. */
export interface Move {
  line: number | null;
  /** From 1 */
  move: number;
  kind: string;
  /** [s] */
  begin: number;
  end: number;
  /** null: it never is */
  achieved_end: number | null;
  /** How long it takes [s] */
  programmed: number;
  achieved: number | null;
  feasible: boolean;
  /** At any speed */
  impossible: boolean;
  /** Share of its speed at which the motors can do it; null where no speed helps */
  largest_speed: number | null;
}

/** What the studio was started with. */
export interface Opened {
  kind: "robot" | "program" | "run" | "study";
  /** How to ask for it */
  name: string;
  /** Of a program */
  text: string | null;
  /** Of a program's file, as it was read */
  digest: string | null;
}

/** Something held. */
export interface PayloadScene {
  body: number;
  mass: number;
  com: number[];
  /** Of a ball of aluminium of that mass [m] */
  radius: number;
}

/** Something held, in the frame of the body that carries the tool. */
export interface PayloadSetting {
  /** [kg] */
  mass: number;
  /** [m] */
  com?: [number, number, number];
  /** Ixx, Iyy, Izz, Ixy, Ixz, Iyz about its centre of mass [kg m2] */
  inertia?: [number, number, number, number, number, number] | null;
}

/** A stretch of time with one tool and one payload. */
export interface PhaseScene {
  begin: number;
  end: number;
  tool: ToolScene;
  payloads: PayloadScene[];
}

/** Options of planning a program. */
export interface Planning {
  start?: number[] | null;
  /** [s] */
  cycle?: number | null;
  /** [s] */
  jerk_time?: number | null;
  /** [rad/s2] Of moves that say none */
  turn_acceleration?: number | null;
  status?: "ignore" | "branch";
}

/** Corners, and triangles of them by number. */
export interface Polytope {
  vertices: number[][];
  faces: number[][];
}

/** Something wrong with a program. */
export interface Problem {
  line: number;
  column: number;
  message: string;
}

/** How far a job is. */
export interface Progress {
  /** null where that is not known */
  fraction: number | null;
  text: string;
  /** Whether it waits for others */
  queued: boolean;
}

/** What a body's parent exerts on it, at its joint, base axes. */
export interface Reaction {
  body: number;
  at: number[];
  force: number[];
  moment: number[];
}

/** The text of a program or robot file, or of an example program. */
export interface ReadRequest {
  id: number;
  do: "read";
  path: string;
}

/** Job: retime, and verify the result. */
export interface RetimeRequest {
  id: number;
  /** By default the catalog's robot that the program names */
  robot?: string | null;
  /** The robot of a program that names none */
  otherwise?: string | null;
  settings?: Settings;
  text?: string | null;
  file?: string | null;
  /** What messages call a text */
  name?: string;
  planning?: Planning;
  do: "retime";
  mode?: "uniform" | "per-move" | "optimal";
  /** Share of every limit that is left free */
  margin?: number;
  /** [m/s] */
  tool_speed?: number | null;
  /** With "uniform": never faster than given */
  slow_only?: boolean;
}

/** The same path in other times. */
export interface RetimeTask {
  /** By default the catalog's robot that the program names */
  robot?: string | null;
  /** The robot of a program that names none */
  otherwise?: string | null;
  settings?: Settings;
  text?: string | null;
  file?: string | null;
  /** What messages call a text */
  name?: string;
  planning?: Planning;
  do: "retime";
  mode?: "uniform" | "per-move" | "optimal";
  /** Share of every limit that is left free */
  margin?: number;
  /** [m/s] */
  tool_speed?: number | null;
  /** With "uniform": never faster than given */
  slow_only?: boolean;
}

/** How a motion was retimed. */
export interface RetimedScene {
  mode: string;
  /** [s] */
  before: number | null;
  after: number;
  /** After over before */
  factor: number | null;
  /** The program with other speeds; null where no program moves so */
  text: string | null;
  active_limits: ActiveLimit[];
}

/** A robot as a thing to draw: catalog name, or a file below the folder. */
export interface RobotRequest {
  id: number;
  do: "robot";
  robot: string;
  settings?: Settings;
}

/** A robot: poses of its bodies come with states and runs. */
export interface RobotScene {
  name: string;
  /** How to ask for it: catalog name, or file below the folder */
  robot: string;
  description: string;
  source: string;
  n: number;
  motors: string;
  friction: boolean;
  gravity: number[];
  home: number[];
  notes: string[];
  joints: JointScene[];
  bodies: BodyScene[];
  base_visuals: Visual[];
  tool: ToolScene;
  payloads: PayloadScene[];
  drives: DriveScene[];
  locked: string[];
  total_mass: number;
  /** How far it reaches [m], for a camera */
  size: number;
  /** Whether it is known what moves it */
  can_verify: boolean;
  /** References of the robot's file to meshes that were not found; their bodies are drawn */
  missing_meshes: string[];
}

/** Job: open a run. */
export interface RunFileRequest {
  id: number;
  do: "run_file";
  file: string;
  /** By default the one that the file names */
  robot?: string | null;
  settings?: Settings;
}

/** A run in a file: .csv, .parquet or .mcap. */
export interface RunFileTask {
  do: "run_file";
  file: string;
  /** By default the one that the file names */
  robot?: string | null;
  settings?: Settings;
}

/** A run. Arrays over `time` are achieved or recorded, those over `time_programmed` programmed. Arrays: time, time_programmed, q, qd, qdd, tau, motor_torque, motor_speed (and each with `_programmed`), poses (t, bodies + 1, 7) of the bodies and the tool, tool_programmed (t, 7), utilisation (t) of the most used motor, line and move (t), as far as they are known: `channels` and `arrays` say which. */
export interface RunResult {
  kind: "verification" | "recording";
  name: string;
  robot: RobotScene;
  /** Of a verification that of `armdyn verify --json`, of a recording what its file says of itself */
  document: Record<string, unknown>;
  verdict: string;
  /** Cycle times, and how far the tool leaves its path, in words */
  times: string;
  details: string;
  /** null: not asked */
  feasible: boolean | null;
  advice: string[];
  suggestions: Suggestion[];
  moves: Move[];
  violations: Violation[];
  /** Which violation the verdict speaks of */
  worst: number | null;
  limits: Limits;
  envelopes: Envelope[];
  phases: PhaseScene[];
  channels: Channel[];
  notes: string[];
  /** The program, where there is one */
  text: string | null;
  retimed: RetimedScene | null;
  /** The command line that computes the same */
  command: string | null;
  arrays: ArrayPlace[];
}

/** Options of the command line that change a robot; null is as the robot's file says. */
export interface Settings {
  payload?: PayloadSetting | null;
  /** [m/s2] in the base frame */
  gravity?: [number, number, number] | null;
  motors?: "exact" | "augmented" | "coupled" | "reflected" | "none" | null;
  friction?: boolean | null;
  /** What the tool exerts on its surroundings, base axes */
  wrench?: [number, number, number, number, number, number] | null;
  /** Where it acts, in the frame of the body that carries the tool; null: the tool's origin */
  at?: [number, number, number] | null;
  /** Joints that are held, by name */
  locked?: Record<string, number>;
}

/** A short form under one load. */
export interface Short {
  load: string;
  text: string;
  latex: string;
  mean_error: number | null;
  largest_error: number | null;
  certified: boolean;
}

/** A program in which the moves of some lines run at a share of their speed, and turn gradually. */
export interface SlowRequest {
  id: number;
  /** By default the catalog's robot that the program names */
  robot?: string | null;
  /** The robot of a program that names none */
  otherwise?: string | null;
  settings?: Settings;
  do: "slow";
  text: string;
  name?: string;
  /** Line -> share r: the speed is multiplied by r, the acceleration by r² */
  shares: Record<string, number>;
  /** [rad/s2] Written into the text, in its first path move, unless that says one */
  turn_acceleration?: number | null;
  /** Digest of the text that the lines are of: another one is refused */
  program?: string | null;
}

/** A program with other speeds. */
export interface SlowResult {
  text: string;
}

/** Postures for a pose of the tool: give `rpy`, or `matrix` (16, column by column) for both. */
export interface SolveRequest {
  id: number;
  do: "solve";
  robot: string;
  /** Where the arm is: the nearest posture is the best */
  q: number[];
  position?: [number, number, number] | null;
  rpy?: [number, number, number] | null;
  matrix?: number[] | null;
  settings?: Settings;
}

/** All postures for a pose. */
export interface SolveResult {
  kind: string;
  branches: Branch[];
  /** The nearest one within the limits; null where none is */
  best: number | null;
}

/** Where everything is, and what it takes, at one state. */
export interface StateRequest {
  id: number;
  do: "state";
  robot: string;
  q: number[];
  qd?: number[] | null;
  qdd?: number[] | null;
  want?: ("gravity" | "mass_matrix" | "motor" | "ellipsoid" | "polytope" | "reactions" | "jacobian" | "energy" | "commands")[];
  settings?: Settings;
}

/** One state; what was not asked for is null. */
export interface StateResult {
  /** Of the bodies in turn, then of the tool: x, y, z, qx, qy, qz, qw */
  poses: number[][];
  tool: ToolPose;
  gravity: (number | null)[] | null;
  mass_matrix: ((number | null)[])[] | null;
  /** Of the motion qd, qdd; where neither is given, of holding still */
  torque: (number | null)[] | null;
  motor: Motor | null;
  jacobian: ((number | null)[])[] | null;
  kinetic_energy: number | null;
  potential_energy: number | null;
  /** Accelerations of the tool that motors at their limits give [m/s2], centre as its place */
  ellipsoid: EllipsoidScene | null;
  /** The same, exactly; without limits null */
  polytope: Polytope | null;
  reactions: Reaction[] | null;
  warnings: string[];
  commands: Commands | null;
}

/** Job: study. */
export interface StudyRequest {
  id: number;
  do: "study";
  robot: string;
  kind: string;
  /** As the library's studies take them; joints by name or number */
  options?: Record<string, unknown>;
  /** Whose motion, as programmed, is studied where a study takes motions and none is named */
  run?: VerifyTask | RetimeTask | RunFileTask | null;
  settings?: Settings;
}

/** What a study found; the document is that of `armdyn study --json`. */
export interface StudyResult {
  kind: string;
  robot: string;
  document: Record<string, unknown>;
  figures: Figure[];
}

/** What joints and drives feel over the workspace. */
export interface StudyTask {
  do: "study";
  robot: string;
  kind: string;
  /** As the library's studies take them; joints by name or number */
  options?: Record<string, unknown>;
  /** Whose motion, as programmed, is studied where a study takes motions and none is named */
  run?: VerifyTask | RetimeTask | RunFileTask | null;
  settings?: Settings;
}

/** What would make a program feasible, to be applied at once. */
export interface Suggestion {
  label: string;
  action: "retime" | "slow";
  /** Of a retime request */
  mode: "uniform" | "per-move" | "optimal" | null;
  /** Of a slow request */
  shares: Record<string, number> | null;
  /** [rad/s2] Of a slow request, too */
  turn_acceleration: number | null;
  /** Digest of the text whose lines these are, of a slow request */
  program: string | null;
  /** [s] That it gives, null where it has not been tried */
  cycle_time: number | null;
  /** What one pays, in words */
  cost: string;
}

/** Job: joint torques of a run, term by term. */
export interface TermsRequest {
  id: number;
  do: "terms";
  of: VerifyTask | RetimeTask | RunFileTask;
}

/** Joint torques term by term: arrays over `time` of inertia, velocity, gravity, friction, contact. */
export interface TermsResult {
  channels: Channel[];
  arrays: ArrayPlace[];
}

/** T_base_tool. */
export interface ToolPose {
  position: number[];
  rpy: number[];
  matrix: number[];
}

/** The tool's frame on a body. */
export interface ToolScene {
  body: number;
  matrix: number[];
}

/** Job: verify. */
export interface VerifyRequest {
  id: number;
  /** By default the catalog's robot that the program names */
  robot?: string | null;
  /** The robot of a program that names none */
  otherwise?: string | null;
  settings?: Settings;
  text?: string | null;
  file?: string | null;
  /** What messages call a text */
  name?: string;
  planning?: Planning;
  do: "verify";
  follow?: "position" | "velocity" | "unbraked";
  /** Step 6 of Algorithm 1 as printed, for comparison */
  printed?: boolean;
}

/** Can the motors do it? */
export interface VerifyTask {
  /** By default the catalog's robot that the program names */
  robot?: string | null;
  /** The robot of a program that names none */
  otherwise?: string | null;
  settings?: Settings;
  text?: string | null;
  file?: string | null;
  /** What messages call a text */
  name?: string;
  planning?: Planning;
  do: "verify";
  follow?: "position" | "velocity" | "unbraked";
  /** Step 6 of Algorithm 1 as printed, for comparison */
  printed?: boolean;
}

/** A stretch of a move in which a limit is exceeded. */
export interface Violation {
  line: number | null;
  move: number | null;
  /** From 1; null: the whole arm */
  joint: number | null;
  /** From, to [s] */
  time: number[];
  /** The worst instant [s] */
  at: number;
  quantity: string;
  /** The motor or joint, as a sentence calls it */
  subject: string;
  unit: string;
  required: number;
  limit: number;
  margin: number;
  /** Of the limit; null where that is no matter of shares */
  share: number | null;
  text: string;
}

/** A shape on a body; cylinders, capsules and tapers are along z, their middle at the origin. */
export interface Visual {
  shape: "box" | "cylinder" | "sphere" | "capsule" | "taper" | "mesh";
  /** box x, y, z; cylinder radius, length; sphere radius; capsule radius, length without its round ends; taper radius at -z, radius at +z, length; mesh nothing [m] */
  size: number[];
  /** Address of a .stl, .obj, .dae, .glb or .gltf file */
  mesh: string | null;
  /** Of a mesh along x, y, z */
  scale: number[] | null;
  /** Into the body's frame */
  matrix: number[];
  /** Red, green, blue, alpha from 0 to 1; null: a mesh's own, or the page's choice */
  color: number[] | null;
  /** What a drawn shape stands for; "file": the robot's file has it */
  role: "file" | "link" | "joint" | "tool" | "base";
}

/** Save a program (.lirl) or a robot (.toml). */
export interface WriteRequest {
  id: number;
  do: "write";
  path: string;
  text: string;
  /** Digest of the file as it was read or saved last: this one is replaced, no other */
  known?: string | null;
  /** Whether any file that is there already may be replaced */
  overwrite?: boolean;
}

/** A saved file. */
export interface Written {
  path: string;
  replaced: boolean;
  /** Of the file as it is now */
  digest: string;
}

/** Every request by name, and what answers it. */
export interface Requests {
  hello: { request: HelloRequest; result: Hello };
  cancel: { request: CancelRequest; result: Done };
  files: { request: FilesRequest; result: Files };
  read: { request: ReadRequest; result: FileText };
  write: { request: WriteRequest; result: Written };
  robot: { request: RobotRequest; result: RobotScene };
  state: { request: StateRequest; result: StateResult };
  solve: { request: SolveRequest; result: SolveResult };
  check: { request: CheckRequest; result: CheckResult };
  slow: { request: SlowRequest; result: SlowResult };
  verify: { request: VerifyRequest; result: RunResult };
  retime: { request: RetimeRequest; result: RunResult };
  run_file: { request: RunFileRequest; result: RunResult };
  terms: { request: TermsRequest; result: TermsResult };
  study: { request: StudyRequest; result: StudyResult };
  derive: { request: DeriveRequest; result: DeriveResult };
  download: { request: DownloadRequest; result: Download };
  live_watch: { request: LiveWatchRequest; result: LiveWatchResult };
  live_record: { request: LiveRecordRequest; result: LiveRecording };
  live_alarm: { request: LiveAlarmRequest; result: LiveThreshold };
  live_settings: { request: LiveSettingsRequest; result: LiveScene };
}

export type AnyEvent = FilesChanged | LiveBatch | LiveStreams;
