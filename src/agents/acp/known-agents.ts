import { basename } from 'node:path'
import { splitCommand } from '../../text/command-words.ts'
import type { Problem } from '../../text/errors.ts'
import { claudeCli } from '../cli/claude.ts'
import { codexCli } from '../cli/codex.ts'
import { geminiCli } from '../cli/gemini.ts'
import type { CliKind } from '../cli/kind.ts'
import { qwenCli } from '../cli/qwen.ts'
import type { Vendor } from '../vendor.ts'

/** The agents whose servers, keys and settings are known, by the name of their program. */
export const knownAgents: Readonly<Record<string, Known>> = {
  gemini: { like: geminiCli, install: 'npm install --global @google/gemini-cli@latest' },
  qwen: { like: qwenCli, install: 'npm install --global @qwen-code/qwen-code@latest' },
  ...named(['claude-code-acp', '@zed-industries/claude-code-acp'], claudeAgent()),
  ...named(['claude-agent-acp', '@agentclientprotocol/claude-agent-acp'], claudeAgent()),
  ...named(['codex-acp', '@agentclientprotocol/codex-acp'], { like: codexCli }),
}

interface Known {
  /** The program of the same vendor, whose server, key and settings it has. */
  like: CliKind
  install?: string
  /** Variables that name its model. */
  modelVariables?: readonly string[]
}

function named([program, packageName]: [string, string], agent: Known): Record<string, Known> {
  return { [program]: { ...agent, install: `npm install --global ${packageName}@latest` } }
}

function claudeAgent(): Known {
  return { like: claudeCli, modelVariables: ['ANTHROPIC_MODEL', 'ANTHROPIC_DEFAULT_HAIKU_MODEL'] }
}

/** Splits what follows `acp:` into the words of a command. Returns the problem where it is none. */
export function commandOf(text: string): { words: string[] } | { problem: Omit<Problem, 'where'> } {
  const split = splitCommand(text)
  if ('words' in split) return split
  const fix =
    'Write the command of an agent after it, such as acp:"gemini --acp", or describe its program in bench.config.yaml.'
  return { problem: { what: `the command of "acp" ${split.problem}`, fix } }
}

/** Returns the vendor of an agent that is named by its command; undefined if that is no known one. */
export function acpVendor(text: string): Vendor | undefined {
  const split = splitCommand(text)
  return 'words' in split ? knownAgents[basename(split.words[0] ?? '')]?.like : undefined
}

/** Returns the model that a command names; an empty text if it names none. */
export function modelIn(command: readonly string[]): string {
  const at = command.findIndex((word) => word === '-m' || word === '--model')
  return (at < 0 ? undefined : command[at + 1]) ?? ''
}
