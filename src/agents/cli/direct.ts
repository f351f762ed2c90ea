import { innerStagePaths } from '../../sandbox/folders/stage-folder.ts'
import type { StageParts } from '../../sandbox/sandbox.ts'
import type { Problem } from '../../text/errors.ts'
import type { AgentStage } from '../agent.ts'
import type { CliCall, CliKind } from './kind.ts'

/** Returns how a program that directs others starts the server of its tools, in its sandbox. */
export function toolServer({ parts: { files } }: AgentStage): NonNullable<CliCall['server']> {
  const [program = ''] = Object.keys(files)
  return {
    command: 'node',
    args: [`${innerStagePaths.files}/${program}`],
    env: { BENCH_SOCKET: innerStagePaths.socket },
  }
}

/** Returns what a program that directs others has beside its folders. */
export const stageParts = ({ parts }: AgentStage) => parts as StageParts

/** Returns why a program cannot direct others here: it could act beside the tools of bench. */
export function barrierOf({ name, directs }: CliKind, contained: boolean): Problem | undefined {
  if (!directs)
    return {
      where: `provider ${name}`,
      what: `${name} cannot be limited to the tools of an orchestrator (\`by=mcp\`)`,
      fix: 'Use claude-cli, codex-cli, gemini-cli, or an agent over HTTP.',
    }
  if (contained) return undefined
  return {
    where: `provider ${name}`,
    what: 'an agent CLI can call other roles with `by=mcp` only in the sandbox bubblewrap',
    fix: 'Install bubblewrap, or use an agent over HTTP.',
  }
}
