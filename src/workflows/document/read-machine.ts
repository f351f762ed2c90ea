import { type Machine, MachineFile, type Persona } from '../../schema/machine/machine-file.ts'
import type { Documents } from '../../strategy.ts'
import { digest, sha256 } from '../../text/canonical-json.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { asMap, type RawMap } from '../../yaml/raw.ts'
import type { ReadFields } from '../../yaml/read-fields.ts'
import type { FieldProblem } from '../../yaml/schema-problems.ts'
import { hasTransitions } from './check-agents.ts'
import { checkMachine } from './check-machine.ts'
import { besideFile, findDocument, folderOf, readDocument, type Surroundings } from './read-document.ts'

const remedies: Readonly<Record<string, string>> = {
  name: 'Write `name:` and a name of letters, digits, dashes and underscores.',
  orchestrator: 'Write `orchestrator:` and under it `persona:` with a name of personas.',
  agents: 'Write `agents:` and each agent by its name; at a fan-out a list of such names.',
  personas:
    'Write `personas:` and under it each Markdown file by its name, such as `writer: personas/writer.md`.',
  states: 'Write `states:` and under it each state by its name, with `type:`.',
  session: 'Write `session: true` or `session: false`.',
  persona: 'Write a name of personas.',
  next: 'Write `next:` and the name of a state.',
  output: 'Write `output:` and a path, such as `drafts/{agent}.md`.',
  input: 'Write a path such as `drafts/*.md`, a list of such, or `NAME: PATH` for each.',
  on_enter: 'Write a list, such as `[{ log: Begin. }, { validate: task }, { generate: summary.md }]`.',
  scores: 'Write a list of criteria in small letters, such as `[clarity, facts]`.',
  checkpoints: 'Write a list, such as `[loop_warning, workflow_complete]`.',
  circuit_breaker: 'Write `circuit_breaker:` with `rules:` and `hard:`.',
  deliver: 'Write `deliver:` and one output, such as `final/text.md`.',
  error: 'Write `error: true`, or leave it out.',
  timeout_per_agent: 'Write seconds, such as `timeout_per_agent: 300`.',
  retry_count: 'Write a whole number from 0 to 10.',
  parallel_fanout: 'Write `parallel_fanout: true` or `parallel_fanout: false`.',
  max_messages: 'Write a whole number of at least 3.',
  max_output: 'Write a whole number of tokens of at least 1.',
  settings: 'Write `settings:` with timeout_per_agent, retry_count, max_messages and parallel_fanout.',
}

/** What to write where a required field is missing. */
const ifMissing: Readonly<Record<string, string>> = {
  transitions: 'Write `transitions:` and under it the next state for each result.',
  agent: 'Write `agent:` and a name of agents.',
  type: 'Write `type:`.',
}

/** Most states of a machine. A trial enters 50 at most, and the time of the checks grows with the square. */
const mostStates = 200

/** Reads a machine, in YAML or JSON, with its personas. Returns undefined if it has mistakes, and adds all of them. */
export function readMachine(
  text: string,
  file: string,
  problems: Problem[],
  around: Surroundings,
): ({ machine: Machine } & Pick<ReadFields<MachineFile>, 'where'>) | undefined {
  const inPersonas: Problem[] = []
  const read = readDocument(text, file, problems, {
    schema: MachineFile,
    fix: 'Write name, orchestrator, agents, personas and states.',
    examples: remedies,
    ifMissing,
    refuse({ states }) {
      const count = Object.keys(asMap(states) ?? {}).length
      if (count <= mostStates) return undefined
      return { path: ['states'], what: `has ${count} states; the limit is ${mostStates}`, fix: 'Divide it.' }
    },
    tell: (problem, machine) => (isOfTransitions(problem, machine) ? undefined : problem),
    check(machine, add, lineOf) {
      const beside = { ...around, lineOf, fileOf: (path: string) => besideFile(file, path) }
      inPersonas.push(...checkMachine(machine, beside, add))
    },
  })
  problems.push(...inPersonas)
  if (!read || inPersonas.length > 0) return undefined
  return { machine: withPersonas(read.data, around), where: read.where }
}

function withPersonas(file: MachineFile, { read }: Surroundings): Machine {
  const personas = Object.fromEntries(
    Object.entries(file.personas).map(([name, path]): [string, Persona] => {
      const text = read(path) ?? ''
      return [name, { file: path, text, sha256: sha256(text) }]
    }),
  )
  const machine = { ...file, personas }
  return { ...machine, digest: digest(machine) }
}

/** Whether the check of transitions, which knows their words, reports a problem. */
function isOfTransitions({ path: [first, state, field] }: FieldProblem, machine: RawMap): boolean {
  const states = asMap(machine.states) ?? {}
  const node =
    first === 'states' && Object.hasOwn(states, String(state)) ? asMap(states[String(state)]) : undefined
  return field === 'transitions' && hasTransitions(node?.type) && asMap(node?.transitions) !== undefined
}

/** Reads the machine of a file, or of the name of a shipped one, with its personas. Throws `UserError` with every problem. */
export function chooseMachine(name: string, documents: Documents): Machine {
  const { read, shipped, agentProblem } = documents
  const { text, path, isPath } = findDocument(name, documents, { noun: 'workflow', file: 'workflow' })
  const problems: Problem[] = []
  const source = readMachine(text, path, problems, {
    read: (other) => (isPath ? read(other, folderOf(path)) : shipped[besideFile('', other)]),
    ...(agentProblem && { agentProblem }),
  })
  if (!source) throw new UserError(problems)
  return source.machine
}
