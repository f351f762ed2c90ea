// What `import 'orchestration-bench/testing'` gives: tests of strategies, without models and without a run.

export {
  type AgentDouble,
  type DoubleReply,
  failingAfter,
  type ReceivedAsk,
  type Replies,
  scriptedAgent,
  timingOut,
} from './testing/doubles.ts'
export { type Played, play, type Scene } from './testing/play.ts'
export type { PlayedAsk } from './testing/play-context.ts'
export type { PlayedStage, StageScene } from './testing/play-stage.ts'
export type { Line, Script } from './testing/script.ts'
