import type { AgentProgram } from '../../../src/schema/agent/agent-program.ts'
import { tableOf } from '../house/tables.ts'

type Cli = 'claude' | 'codex' | 'gemini' | 'opencode' | 'qwen'

/** The known CLIs as a config file would describe them, so that nothing of them is known by name alone. */
export const describedClis = tableOf<Record<Cli, AgentProgram>>(import.meta.url, 'describedClis')
