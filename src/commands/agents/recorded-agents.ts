import { type Agent, type RecordedReplies, withoutLabel } from '../../agents/agent.ts'
import { isRecorded } from '../../agents/paid-or-simulated.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import type { RowAgents } from '../../loop/plan/row-agents.ts'
import { declarationOf, taskAsks, wantedSamples } from '../../loop/plan/task-asks.ts'
import { otherModels } from '../../recorded/read-replies.ts'
import { counted } from '../../reports/words/numbers.ts'
import { agentSetsOf, rowName } from '../../schema/agent/agent-set.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Strategy } from '../../strategy.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { builtInStrategies } from '../methods/built-in-strategies.ts'
import { workingOptions } from '../methods/working-options.ts'

/** The parts of a new run that decide whether recorded replies can serve it. */
interface RecordedRun {
  named: Pick<RunManifest, 'methods' | 'agents' | 'agentSets'>
  rows: RowAgents
  judges: readonly Agent[]
  strategies: readonly KnownStrategy[]
  epochs: number
  tasks: readonly { ref: string }[]
}

/** What run.json says of recorded replies, and what the user should know before the run. */
interface CheckedReplies {
  recorded: RunManifest['recorded']
  notes: string[]
}

/**
 * Checks a new run with recorded replies: that nothing else stands beside them, that its methods ask the task alone, and that there
 * are enough replies. Adds every problem. Replies that cannot be read are left out: their agent says so itself.
 */
export async function checkRecorded(run: RecordedRun, problems: Problem[]): Promise<CheckedReplies> {
  const { named, rows, judges, strategies } = run
  const agents = new Map([...rows.values()].flatMap(Object.values<Agent>).map((one) => [one.name, one]))
  if (![...agents.values(), ...judges].some(isRecorded)) return { recorded: undefined, notes: [] }
  problems.push(...judgeProblems(judges), ...mixedProblems(rows), ...wordingProblems(named))
  const read = await readAll([...agents.values()])
  const notes: string[] = []
  for (const method of named.methods)
    for (const { label } of agentSetsOf(named)) {
      const row = rowName(method.label, label)
      const own = rows.get(row) ?? {}
      if (!Object.values(own).some(isRecorded)) continue
      const strategy = strategies.find((one) => one.strategy.name === method.strategy)?.strategy
      const found = strategy && methodProblem(method, strategy, Object.values(own).find(isRecorded) as Agent)
      if (found) problems.push(found)
      else if (strategy) checkSamples({ ...run, row, own, method, strategy, read }, problems, notes)
    }
  const facts = [...read].map(([name, { facts }]) => [name, facts] as const)
  return { recorded: Object.fromEntries(facts), notes: [...new Set(notes)] }
}

/** Returns a problem for each method whose agents have tools and recorded replies: no recorded reply called one. */
export function toolProblems(methods: readonly Method[], rows: RowAgents): Problem[] {
  return methods.flatMap(({ label, tools }) => {
    const own = [...rows].filter(([row]) => row === label || row.startsWith(`${label}@`))
    const agent = own.flatMap(([, agents]) => Object.values(agents)).find(isRecorded)
    if (!tools || !agent) return []
    const what = `has tools, but the recorded replies of ${agent.name} call none`
    return [{ where: `method ${label}`, what, fix: 'Leave out --tools, or write tools=none.' }]
  })
}

function judgeProblems(judges: readonly Agent[]): Problem[] {
  return judges.filter(isRecorded).map(({ name }) => ({
    where: `--judges ${name}`,
    what: 'has only recorded replies to tasks, and cannot judge',
    fix: 'Name judges that call a model, such as --judges openai:MODEL.',
  }))
}

/** Returns a problem if the run has several wordings: the replies are to the task alone. */
function wordingProblems({ agentSets = [] }: RecordedRun['named']): Problem[] {
  if (!agentSets.some(({ instructions }) => instructions)) return []
  const what = 'changes what agents are asked, but recorded replies answer the words of their source'
  return [{ where: '--instructions', what, fix: 'Leave it out, or name agents that call a model.' }]
}

/** Returns a problem if some agent replies now: its numbers are of another kind, and no table may mix them. */
function mixedProblems(rows: RowAgents): Problem[] {
  const all = [...rows].flatMap(([row, agents]) => Object.values(agents).map((agent) => ({ row, agent })))
  const one = all.find(({ agent }) => isRecorded(agent))
  const other = all.find(({ agent }) => !isRecorded(agent))
  if (!one || !other) return []
  const kind = other.agent.simulated ? 'whose numbers are simulated' : 'which replies now'
  return [
    {
      where: '--agents',
      what: `${one.row} asks ${one.agent.name}, whose replies were recorded, but ${other.row} asks ${other.agent.name}, ${kind}; one table must not mix them`,
      fix: 'Run them as two runs. A role that nobody named is asked of --agents: name a recorded agent there.',
    },
  ]
}

function methodProblem({ label, options }: Method, strategy: Strategy, agent: Agent): Problem | undefined {
  if (taskAsks(strategy, options)) return undefined
  const why =
    declarationOf(strategy, options)?.asks === 'task'
      ? 'its declaration does not count its asks'
      : 'its declaration does not say that it asks the task alone with these options'
  const working = workingOptions(strategy, options, (others) => taskAsks(strategy, others) !== undefined)
  const own = working.length > 0 ? `It can with ${working.join(' or ')}. ` : ''
  return {
    where: `method ${label}`,
    what: `cannot use the recorded replies of ${agent.name}, because ${why}`,
    fix: `${own}Methods that can: ${methodsThatCan().join(', ')}, and those of your own that declare asks: 'task' (bench help recorded).`,
  }
}

/** Returns the built-in methods that ask the task alone with their default options. */
function methodsThatCan(): string[] {
  return builtInStrategies().flatMap(({ strategy }) => {
    const { data } = strategy.options.safeParse({})
    return data && !strategy.document && taskAsks(strategy, data) ? [strategy.name] : []
  })
}

/** Compares the replies that a row needs with those that there are: too few for every trial is a problem, for some a note. */
function checkSamples(
  {
    row,
    own,
    method,
    strategy,
    read,
    epochs,
    tasks,
  }: RecordedRun & {
    row: string
    own: Readonly<Record<string, Agent>>
    method: Method
    strategy: Strategy
    read: ReadonlyMap<string, RecordedReplies>
  },
  problems: Problem[],
  notes: string[],
): void {
  const counts = taskAsks(strategy, method.options)
  for (const name of new Set(Object.values(own).map((agent) => agent.name))) {
    const replies = read.get(name)
    if (!counts || !replies) continue
    const { least, most } = wantedSamples(counts, (role) => own[role]?.name === name)
    if (most === 0) continue
    const { samples } = replies.facts
    const needed = (epochs - 1) * most + least
    if (needed > samples) {
      const each = epochs === 1 ? '' : ` in ${epochs} epochs`
      problems.push({
        where: `method ${row}`,
        what: `needs ${counted(needed, 'reply', 'replies')} to each task${each}, but ${name} has ${samples} at most`,
        fix: shareFix(own, name, { samples, epochs }),
      })
      continue
    }
    const lacking = tasks
      .map(({ ref }) => ref)
      .filter((task) => !hasAll(replies, task, epochs, { least, most }))
    if (lacking.length > 0)
      notes.push(
        `${name} has no reply to ${lacking.length} of ${counted(tasks.length, 'task')} (${shortList(lacking)}): trials of ${row} on them are missing`,
      )
    if (epochs * most > samples)
      notes.push(
        `${row} may ask ${name} for ${counted(epochs * most, 'reply', 'replies')} to a task, which has ${samples} at most: a trial that needs more is missing`,
      )
  }
}

/** Each of several roles can have the replies of another model; one role alone needs more samples. */
function shareFix(
  own: Readonly<Record<string, Agent>>,
  name: string,
  { samples, epochs }: { samples: number; epochs: number },
): string {
  const roles = Object.keys(own).filter((role) => own[role]?.name === name)
  const others = otherModels(withoutLabel(name).replace('recorded:', ''), process.cwd()).slice(
    0,
    roles.length - 1,
  )
  const more = 'Record more samples, or choose fewer attempts or epochs.'
  if (roles.length < 2 || epochs > samples || others.length < roles.length - 1) return more
  const given = others.map((model, i) => `--agent ${roles[i]}=${shellWord(model)}`)
  return `Give its roles the replies of other models: ${given.join(' ')}. Or record more samples.`
}

function hasAll(
  { find }: RecordedReplies,
  task: string,
  epochs: number,
  { least, most }: { least: number; most: number },
): boolean {
  for (let epoch = 0; epoch < epochs; epoch++)
    for (let sample = 1; sample <= least; sample++) if (!find(task, epoch * most + sample)) return false
  return true
}

const shortList = (tasks: readonly string[]) =>
  `${tasks.slice(0, 3).join(', ')}${tasks.length > 3 ? ', …' : ''}`

async function readAll(agents: readonly Agent[]): Promise<ReadonlyMap<string, RecordedReplies>> {
  const read = new Map<string, RecordedReplies>()
  for (const { name, recorded } of agents) {
    try {
      if (recorded) read.set(name, await recorded())
    } catch (error) {
      // What an agent lacks is reported with that of all others.
      if (!(error instanceof UserError)) throw error
    }
  }
  return read
}
