import { agentReach } from '../../agents/registry.ts'
import { isFile, readMethodText, splitMethods } from '../../loop/plan/method-text.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { recordedName } from '../agents/config-agents.ts'
import type { MergedOptions } from '../config/merge-options.ts'
import type { SelectedMethods } from '../methods/select-methods.ts'
import type { NamedTool } from '../tools/select-tools.ts'
import { powerLines } from '../trust/powers.ts'
import {
  type ForeignFile,
  foreignConfig,
  foreignDocument,
  requireTrust,
  untrusted,
} from '../trust/require-trust.ts'
import { collectProblems } from '../values/parse-values.ts'

interface Trust {
  /** `--trust-code` was given. */
  trusted: boolean
  signal: AbortSignal
  /** The run is only estimated: what files take is listed, and nobody is asked. */
  lists: boolean
}

/**
 * Settles whether the files of a run may take what they name, before anything is loaded, started or sent. Returns those that are
 * only listed. Throws `UserError` with all problems so far; a person is asked only if there are none.
 */
export async function settleTrust(
  files: readonly ForeignFile[],
  { trusted, signal, lists }: Trust,
  problems: Problem[],
): Promise<ForeignFile[]> {
  const open = trusted ? [] : untrusted(files)
  if (open.length === 0) return []
  // An estimate sends nothing, but it loads modules and starts the servers of tools.
  if (lists && !open.some(({ powers }) => powers.some(({ kind }) => kind === 'module' || kind === 'program')))
    return open
  const asks = problems.length === 0 && !lists
  await collectProblems(problems, () => requireTrust(open, { trusted, signal, asks }), undefined)
  if (problems.length > 0) throw new UserError(problems)
  return []
}

/** Says in notes, one for each thing, what a file takes that is only listed. */
export const listedNotes = ({ name, powers }: ForeignFile): string[] => [
  `${name} takes what the run will need your word for (--trust-code):`,
  ...powerLines(powers),
]

/** Returns the config file if it names a module of a strategy that this run has. */
export function filesBeforeMethods({ options, config, isFromFile }: MergedOptions): ForeignFile[] {
  const entries = config?.config.methods ?? {}
  const isOfConfig = (text: string) => {
    const { name = '' } = readMethodText(text) ?? {}
    const strategy = Object.hasOwn(entries, name) ? entries[name]?.strategy : undefined
    return strategy === undefined
      ? isFromFile('methods') && isFile(name)
      : isFile(readMethodText(strategy)?.name ?? '')
  }
  return config && !options.part && splitMethods(options.methods ?? '').some(isOfConfig)
    ? [foreignConfig(config)]
    : []
}

/**
 * Returns the files whose powers a run uses: in live mode all of them, in dev mode those that load a module or start a server. A config
 * file counts without the agents that the run does not ask, and without those that the user typed the names of.
 */
export function filesOfRun(
  { config, options, isFromFile }: MergedOptions,
  mode: RunManifest['mode'],
  { methods, strategies, textsOf }: SelectedMethods,
  names: readonly string[],
  servers: readonly NamedTool[],
): ForeignFile[] {
  const isUsed = (place: string) => mode === 'live' || servers.some(({ where }) => where.startsWith(place))
  const loaded = names.filter((name) => agentReach(name) === 'module')
  const typed = typedAgents(options, isFromFile)
  const isTaken = (among: readonly string[]) => (label: string) =>
    !typed.has(label) && among.includes(recordedName(label, config?.config.agents?.[label] ?? label))
  const isLoaded = Object.keys(config?.config.agents ?? {}).some(isTaken(loaded))
  const documents = methods.flatMap((method) =>
    isUsed(`--methods ${method.label}, document`)
      ? (foreignDocument(method, strategies, textsOf(method.label)) ?? [])
      : [],
  )
  const isAsked = config && (isLoaded || isUsed(`${config.file}:`))
  return [...(isAsked ? [foreignConfig(config, isTaken(names))] : []), ...documents]
}

/** Returns the names of agents as the user typed them, with `--agents` and `--agent ROLE=NAME`. */
function typedAgents(
  { agents = '', agent = [] }: MergedOptions['options'],
  isFromFile: MergedOptions['isFromFile'],
): ReadonlySet<string> {
  const texts = [...(isFromFile('agents') ? [] : [agents]), ...(isFromFile('agent') ? [] : [agent].flat())]
  return new Set(texts.flatMap((text) => text.split(/[,=]/).map((name) => name.trim())))
}
