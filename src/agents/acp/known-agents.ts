import { basename } from 'node:path'
import { splitCommand } from '../../text/command-words.ts'
import type { Problem } from '../../text/errors.ts'
import { findKeysInWords, hideKeysInCommand } from '../../text/hide-keys.ts'
import { secretsOf } from '../../text/redact.ts'
import { claudeCli } from '../cli/claude.ts'
import { codexCli } from '../cli/codex.ts'
import { geminiCli } from '../cli/gemini.ts'
import type { CliKind } from '../cli/kind.ts'
import { qwenCli } from '../cli/qwen.ts'
import type { Vendor } from '../vendor.ts'

interface KnownAgent {
  /** The program of the same vendor, whose server, key and settings it has. */
  like: CliKind
  /** Its npm package, if that is another one. */
  ownPackage?: string
  /** Variables that name its model. */
  modelVariables?: readonly string[]
}

const claude: KnownAgent = {
  like: claudeCli,
  // Whatever model it chooses of its own list is the one that is named.
  modelVariables: [
    'ANTHROPIC_MODEL',
    ...['SONNET', 'OPUS', 'HAIKU'].map((family) => `ANTHROPIC_DEFAULT_${family}_MODEL`),
  ],
}

/** The agents whose servers, keys and settings are known, by the name of their program. */
const knownAgents: Readonly<Record<string, KnownAgent>> = {
  gemini: { like: geminiCli },
  qwen: { like: qwenCli },
  'claude-code-acp': { ...claude, ownPackage: '@zed-industries/claude-code-acp' },
  'claude-agent-acp': { ...claude, ownPackage: '@agentclientprotocol/claude-agent-acp' },
  'codex-acp': { like: codexCli, ownPackage: '@agentclientprotocol/codex-acp' },
}

/** A command of an agent: words, the environment that stands before them as in a shell, and the model that they name. */
interface AcpCommand {
  words: string[]
  env: Record<string, string>
  /** Empty if they name none. */
  model: string
}

/** Reads what follows `acp:`. Returns the problem where it is no command. */
export function readCommand(text: string): AcpCommand | { problem: Problem } {
  const where = text === '' ? 'agent acp' : `agent acp:${hideKeysInCommand(text)}`
  const split = splitCommand(text)
  const described = 'or describe its program in bench.config.yaml'
  const fix = `Write the command of an agent after it, such as acp:"gemini --acp", ${described}.`
  if ('problem' in split) return { problem: { where, what: `the command of "acp" ${split.problem}`, fix } }
  if (/\p{Cc}/u.test(text))
    return { problem: { where, what: 'the command of "acp" has a control character', fix } }
  const at = split.words.findIndex((word) => !/^\w+=/.test(word))
  if (at < 0) return { problem: { where, what: 'the command of "acp" names no program', fix } }
  const words = split.words.slice(at)
  const env = Object.fromEntries(split.words.slice(0, at).map((word) => splitAt(word, word.indexOf('='))))
  const [named] = secretsOf(env).secrets
  const secret = named ? `the key ${named.name}` : findKeysInWords(split.words).find(Boolean)
  if (secret !== undefined)
    return {
      problem: {
        // The whole command would show it again.
        where: 'agent acp',
        what: `the command of "acp" has ${secret}, which every report would show`,
        fix: 'Leave it out: bench gives the program a stand-in for the key of your environment.',
      },
    }
  const option = words.findIndex((word) => word === '-m' || word === '--model')
  const [variable = ''] = agentOf(words)?.modelVariables ?? []
  return { words, env, model: (option < 0 ? env[variable] : words[option + 1]) ?? '' }
}

const splitAt = (word: string, at: number): [string, string] => [word.slice(0, at), word.slice(at + 1)]

/** Returns the known agent that a command starts; undefined if it starts another one. */
export const agentOf = ([program = '']: readonly string[]): KnownAgent | undefined => {
  const name = basename(program)
  return Object.hasOwn(knownAgents, name) ? knownAgents[name] : undefined
}

/** Returns the vendor and the model of an agent that is named by its command; undefined if that is no known one. */
export function acpVendor(text: string): { vendor: Vendor; model: string } | undefined {
  const command = readCommand(text)
  const vendor = 'words' in command ? agentOf(command.words)?.like : undefined
  return vendor && 'words' in command ? { vendor, model: command.model } : undefined
}

/** Returns why an agent cannot be asked that is named by its command alone; undefined if it can. */
export function commandProblem({ words, model }: AcpCommand): Omit<Problem, 'where'> | undefined {
  const [program = ''] = words
  const known = agentOf(words)
  if (!known)
    return {
      what: `bench does not know which server ${program} asks`,
      fix: `Describe it in bench.config.yaml: provider: acp, baseUrl, program. Known by their command are ${Object.keys(knownAgents).join(', ')}.`,
    }
  const [variable] = known.modelVariables ?? []
  if (model !== '' || variable === undefined) return undefined
  return {
    what: `${program} asks several models unless one is named`,
    fix: `Write acp:"${variable}=MODEL ${words.join(' ')}", or set model and program in bench.config.yaml.`,
  }
}
