import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { commandRemedy } from '../../loop/plan/method-spec.ts'
import { readMethodText } from '../../loop/plan/method-text.ts'
import type { RowAgents } from '../../loop/plan/row-agents.ts'
import { findOnPath } from '../../sandbox/tools/on-path.ts'
import { isInside, isInterpreter, realPath } from '../../sandbox/tools/toolchain.ts'
import { agentSetsOf, rowName } from '../../schema/agent/agent-set.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { ModelProgram } from '../../schema/method/model-program.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Problem } from '../../text/errors.ts'
import { hideKeysInCommand } from '../../text/hide-keys.ts'
import { shorten } from '../../text/shorten.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { keysOfProgram } from '../config/config-tools.ts'
import { type SelectedMethods, selectMethods } from '../methods/select-methods.ts'
import { taskPaths } from '../trust/config-tasks.ts'

interface ProgramsOfRun {
  named: Pick<RunManifest, 'methods' | 'agentSets' | 'agents' | 'faults'>
  strategies: SelectedMethods['strategies']
  mode: RunManifest['mode']
  rows: RowAgents
  /** The selection of tasks, as written. */
  tasks: string | undefined
  /** The tools of the methods, by label. */
  tools: ReadonlyMap<string, { known: ReadonlyMap<string, unknown> }>
}

/** Returns what keeps a run from starting the methods whose programs ask models themselves. */
export function modelProgramProblems({
  named,
  strategies,
  mode,
  rows,
  tasks,
  tools,
}: ProgramsOfRun): Problem[] {
  return named.methods.flatMap((method) => {
    const { strategy } = strategies.find((one) => one.strategy.name === method.strategy) ?? {}
    const program = strategy?.asksModels?.(method.options)
    if (!program) return []
    const where = `--methods ${hideKeysInCommand(method.label)}`
    const wrong = programProblem(program, tasks) ?? (mode === 'dev' ? unsimulated : undefined)
    if (wrong) return [{ where, ...wrong }]
    const isTooled = (tools.get(method.label)?.known.size ?? 0) > 0
    const problems = [
      isTooled && {
        what: 'has the tools of its program, which --tools does not reach',
        fix: `Leave out --tools, or give ${method.label} the option tools=none.`,
      },
      Object.keys(named.faults ?? {}).length > 0 && {
        what: 'runs a program that asks models itself, and --inject does not reach its requests',
        fix: 'Leave out --inject, or the method.',
      },
      ...agentProblems(method, { named, rows }),
    ]
    return problems.flatMap((problem) => (problem ? [{ where, ...problem }] : []))
  })
}

const unsimulated = {
  what: 'runs a program that asks models itself, and no simulated agent can answer it',
  fix: 'Add --mode live and an agent over HTTP, such as --agents openai-compatible:MODEL.',
}

/** Returns the methods of a config file that start a program which asks models itself, each with what keeps it from starting. No code is loaded. */
export async function configuredPrograms(
  file: ConfigFile,
): Promise<{ label: string; problems: Problem[] }[]> {
  const labels = Object.entries(file.config.methods ?? {}).flatMap(([label, { strategy = label }]) =>
    readMethodText(strategy)?.name === 'external' ? [label] : [],
  )
  return Promise.all(
    labels.map(async (label) => {
      const problems: Problem[] = []
      const { methods, strategies } = await selectMethods({ methods: label }, file, problems, true)
      const program = strategies[0]?.strategy.asksModels?.(methods[0]?.options ?? {})
      const wrong = methods[0] && program && programProblem(program, undefined)
      return { label, problems: wrong ? [{ where: `methods.${label}`, ...wrong }] : problems }
    }),
  )
}

function agentProblems(
  method: Method,
  { named, rows }: Pick<ProgramsOfRun, 'named' | 'rows'>,
): Omit<Problem, 'where'>[] {
  const agents = agentSetsOf(named).flatMap(({ label }) =>
    Object.entries(rows.get(rowName(method.label, label)) ?? {}),
  )
  return agents
    .filter(([, { upstream }]) => !upstream)
    .map(([role, { name }]) => ({
      what: `${name}, the agent of the role ${role}, has no model that a program could ask itself`,
      fix: `Use an agent over HTTP, such as --agent ${role}=openai-compatible:MODEL.`,
    }))
}

function programProblem(
  { command, folder, missing, env = {} }: ModelProgram,
  tasks: string | undefined,
): Omit<Problem, 'where'> | undefined {
  const [first] = command
  if (first === undefined || first === '') return { what: 'names no command', fix: commandRemedy }
  const [file] = missing
  if (file !== undefined)
    return {
      what: `names ${file}, and there is no such file${folder === undefined ? '' : ` in ${folder}`}`,
      fix: `Paths are relative to ${folder === undefined ? 'the working folder' : 'the folder of the application'}.`,
    }
  const [key] = keysOfProgram({ env, command })
  if (key)
    return {
      what: `gives its program ${key.what}, in ${key.field[0]}; run.json would hold it`,
      fix: 'Remove it, or write none in its place: whatever key the program has, its gateway sends that of the agent.',
    }
  const shown = folder === undefined ? undefined : folderProblem({ command, folder }, tasks)
  return shown ?? startProblem(first, folder)
}

function startProblem(first: string, folder: string | undefined): Omit<Problem, 'where'> | undefined {
  if (first.startsWith('{folder}/')) {
    const path = `${folder}${first.slice('{folder}'.length)}`
    return findOnPath(resolve(path)) === undefined
      ? {
          what: `${path} is not executable`,
          fix: `Run: chmod +x ${path}, or name its interpreter before it.`,
        }
      : interpreterProblem(path)
  }
  if (/^[A-Za-z_]\w*=/.test(first))
    return {
      what: `begins with ${shorten(first, 100)}, and no shell runs, which would set a variable`,
      fix: 'Set the variable in env of the method, in the config file.',
    }
  if (first.includes('/') && !first.startsWith('/'))
    return {
      what: `starts ${first} by its path`,
      fix:
        folder === undefined
          ? 'Set the option folder to the folder that holds it, and name it from there.'
          : `There is no such file in ${folder}.`,
    }
  if (findOnPath(first) !== undefined) return undefined
  return existsSync(first) && first.startsWith('/')
    ? { what: `${first} is no program`, fix: 'Name a program, or the interpreter of this file before it.' }
    : { what: `the program ${first} is not on the PATH`, fix: `Install ${first}, or correct the command.` }
}

/** A script whose first line names what is not there would end before it begins. */
function interpreterProblem(path: string): Omit<Problem, 'where'> | undefined {
  const [first = ''] = readFileSync(path, 'latin1').split('\n', 1)
  const [, own = '', argument = ''] = /^#!\s*(\/\S+)(?:[ \t]+(?:-S[ \t]+)?([\w./+-]+))?/.exec(first) ?? []
  const program = /\/env$/.test(own) ? argument : own
  return program === '' || findOnPath(program) !== undefined
    ? undefined
    : {
        what: `the first line of ${path} names ${program}, which is not there`,
        fix: `Install ${program}, or correct the line.`,
      }
}

/** What a program sees must hold no hidden tests, and all of its code. The working folder is refused before. */
function folderProblem(
  { command, folder }: { command: readonly string[]; folder: string },
  tasks: string | undefined,
): Omit<Problem, 'where'> | undefined {
  const place = realPath(folder)
  const own = taskPaths({ tasks }).find((path) => isInside(realPath(path), place))
  if (own !== undefined)
    return {
      what: `the program may read all of ${folder}, which holds ${own}`,
      fix: 'Put the application into a folder of its own.',
    }
  const files = command
    .flatMap((word) => /^\{folder\}(\/.+)/.exec(word)?.[1] ?? [])
    .map((path) => folder + path)
  const led = files.find((file) => !isInside(realPath(file), place) && !isInterpreter(realPath(file)))
  return led === undefined
    ? undefined
    : {
        what: `${led} is a link to ${realPath(led)}, which is not in the folder, so the program cannot read it`,
        fix: `Copy the file into ${folder}.`,
      }
}
