import { readGraphDocument } from '../../orchestration/graph/read-document.ts'
import { folderOf, readMachine } from '../../orchestration/machine/read-machine.ts'
import { readWorkflow } from '../../orchestration/workflow/workflow-file.ts'
import { counted } from '../../reports/words/numbers.ts'
import type { Problem } from '../../text/errors.ts'
import { parseYaml } from '../../yaml/parse-yaml.ts'
import { folderAgentProblem } from '../config/agent-names.ts'
import { readNamedFile } from './document-file.ts'

/** A document that a person names. */
export interface NamedDocument {
  /** Its name in messages. */
  shown: string
  /** Where it is. */
  path: string
}

const kinds = {
  machine: ['states', 'orchestrator', 'personas', 'circuit_breaker'],
  workflow: ['stages'],
  graph: ['version', 'providers', 'tools', 'tasks', 'workflows', 'run'],
} as const

/** Reads the text of a document of any kind. Adds all mistakes to `problems`, or returns what it holds, such as `5 states, 3 agents`. */
export function describeDocument(
  { shown, path }: NamedDocument,
  text: string,
  problems: Problem[],
): string | undefined {
  const around = { agentProblem: folderAgentProblem }
  const kind = documentKind(text)
  if (kind === 'machine') {
    const read = (file: string) => readNamedFile(file, folderOf(path))
    const machine = readMachine(text, shown, problems, { ...around, read })?.machine
    return (
      machine && counts([machine.states, 'state'], [machine.agents, 'agent'], [machine.personas, 'persona'])
    )
  }
  if (kind === 'workflow') {
    const workflow = readWorkflow(text, shown, problems)
    return workflow && counts([workflow.stages, 'stage'], [workflow.agents, 'agent'])
  }
  if (kind === 'graph') {
    const graph = readGraphDocument(text, shown, problems, {
      ...around,
      read: (file) => readNamedFile(file, '.'),
    })
    return (
      graph &&
      counts([graph.workflows, 'workflow'], [graph.document.tasks, 'task'], [graph.document.agents, 'agent'])
    )
  }
  problems.push(unknownKind(shown, text))
  return undefined
}

/** Returns the kind of a document by its fields, even if it has mistakes. */
export function documentKind(text: string): keyof typeof kinds | undefined {
  const { data } = parseYaml(text)
  const isMap = typeof data === 'object' && data !== null && !Array.isArray(data)
  const has = (field: string) =>
    isMap ? Object.hasOwn(data, field) : new RegExp(`^[{ \\t]*["']?${field}["']?[ \\t]*:`, 'm').test(text)
  const names = Object.keys(kinds) as (keyof typeof kinds)[]
  return names
    .map((name) => ({ name, count: kinds[name].filter(has).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)[0]?.name
}

function unknownKind(where: string, text: string): Problem {
  const { data, faults, placeOf } = parseYaml(text)
  const [fault] = faults
  const isEmpty = (data ?? null) === null && !/^[^#\s]/m.test(text)
  // Of prose, what is wrong with it as YAML helps nobody.
  const isData = /^\s*(?:[{[]|[-\w"']+:(?:\s|$))/.test(text)
  const why = fault && isData ? `: at ${placeOf(fault.at, true)} it ${fault.what}` : ''
  return {
    where,
    what: isEmpty ? 'is empty' : `is no document that bench knows${why}`,
    fix: 'Write states and personas, or stages, or tasks and workflows; see bench check --schema and bench plan --schema.',
  }
}

const counts = (...all: [object, noun: string][]): string =>
  all.map(([things, noun]) => counted(Object.keys(things).length, noun)).join(', ')
