// What `import 'orchestration-bench/testing'` gives: tests of strategies, without models and without a run.

export {
  type AgentDouble,
  callingTools,
  failingAfter,
  type ReceivedAsk,
  scriptedAgent,
  timingOut,
} from './testing/doubles.ts'
export { type Played, play } from './testing/play.ts'
export type { PlayedAsk } from './testing/play-context.ts'
export type { PlayedStage, StageScene } from './testing/play-stage.ts'
export type { PlayedCall, SceneTools } from './testing/play-tools.ts'
export type { DoubleReply, Replies } from './testing/replies.ts'
export type { Scene } from './testing/scene.ts'
export type { Line, Script } from './testing/script.ts'
