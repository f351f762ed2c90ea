import { claudeCli } from './claude.ts'
import { codexCli } from './codex.ts'
import { geminiCli } from './gemini.ts'
import type { CliKind } from './kind.ts'
import { opencodeCli } from './opencode.ts'
import { qwenCli } from './qwen.ts'

/** All agent CLIs that bench knows by name. */
export const cliKinds: readonly CliKind[] = [claudeCli, codexCli, geminiCli, opencodeCli, qwenCli]
