import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openBlobs } from '../../../src/loop/journal/blobs.ts'
import { unpackStep } from '../../../src/loop/journal/journal.ts'
import { allSteps } from '../../../src/loop/journal/ledger-index.ts'
import { selectTasks } from '../../../src/loop/plan/select-tasks.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'
import { importers } from '../../../src/suites/registry.ts'
import { level } from '../../helpers/house/level.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { benchOk, recordsOf } from '../../helpers/runs/cli.ts'
import { askingStrategies } from '../../helpers/runs/method-variants.ts'
import { bare, type SecretLine, secretLines } from '../../helpers/suites/leaks.ts'
import { everyFormat, suiteFixtures } from '../../helpers/suites/suite-fixtures.ts'

const names = importers.map(({ name }) => name)

describe('what agents read', { timeout: level(600_000, 3_600_000) }, () => {
  it('is searched for every importer: each has a suite in test/helpers/suites/suite-fixtures.ts', () => {
    expect(names.filter((name) => suiteFixtures[name] === undefined)).toEqual([])
  })

  needs('python3').it.each(
    level<['built-in tasks' | 'every format', 'oracle' | 'simulated'][]>(
      [['every format', 'oracle']],
      [
        ['built-in tasks', 'simulated'],
        ['every format', 'simulated'],
      ],
    ),
  )(
    'never has a line of hidden tests or solutions, in any method: of %s, with agents of %s',
    async (of, agents) => {
      const selection = of === 'built-in tasks' ? 'all,writing' : everyFormat(names)
      const { prompts, leaks, tasks, tasksRead } = await searchPrompts(selection, agents)
      expect(leaks).toEqual([])
      expect(tasksRead).toBe(tasks)
      expect(prompts).toBeGreaterThan(level(100, 200))
    },
  )
})

it('tasks of code have lines that the search looks for, and would find in a prompt', async () => {
  const { tasks } = await selectTasks(everyFormat(names), 1)
  // An answer may be a number, which occurs by chance.
  const code = tasks.filter(({ spec }) => spec.output !== 'answer')
  expect(code.length).toBeGreaterThan(4)
  for (const task of code) {
    const secrets = secretLines(task)
    expect(new Set(secrets.map(({ part }) => part)), task.ref).toContain('solution')
    const shown = [...Object.values(task.hidden.tests), ...Object.values(task.hidden.solution?.files ?? {})]
    expect(secretLines({ ...task, instruction: shown.join('\n') }), task.ref).toEqual([])
  }
})

/** A secret line in a text that an agent read. */
interface Leak extends SecretLine {
  trial: string
  step: string
}

/** What a search has looked at. */
interface Searched {
  prompts: number
  leaks: Leak[]
  tasks: number
  /** In the prompts of how many tasks the search finds the instruction: it must be all of them. */
  tasksRead: number
}

/**
 * Runs all methods on tasks with such agents, in the night also with some that hand in nothing, and searches all that agents read for lines of hidden
 * tests and solutions. Simulated agents try wrong solutions first, which takes long.
 */
async function searchPrompts(selection: string, agents: 'oracle' | 'simulated'): Promise<Searched> {
  const folder = join(tempFolder(), 'run')
  const methods = askingStrategies.map(({ name }) => name).join(',')
  const run = ['--tasks', selection, '--methods', methods, '--agents', `${agents}${level('', ',no-op')}`]
  await benchOk([...run, '--tools', 'read,list,check', '--parallel', '2', '--quiet', '--out', folder])
  const { tasks } = await selectTasks(selection, 1)
  const secrets = new Map(tasks.map((task) => [task.ref, secretLines(task)]))
  const refs = new Map(recordsOf(folder).map(({ trial, task }) => [trial, task]))
  expect(new Set(refs.values())).toEqual(new Set(secrets.keys()))
  const shown = new Map(tasks.map(({ ref, instruction }) => [ref, firstLine(instruction)]))
  const { leaks: found } = searchSteps(folder, (trial) => shown.get(refs.get(trial) ?? '') ?? [])
  return {
    ...searchSteps(folder, (trial) => secrets.get(refs.get(trial) ?? '') ?? []),
    tasks: tasks.length,
    tasksRead: new Set(found.map(({ trial }) => refs.get(trial))).size,
  }
}

/** Returns the first line of an instruction as if it were secret: prompts have it, so a search must find it. */
const firstLine = (instruction: string): SecretLine[] => [
  { line: bare(instruction.split('\n')[0] ?? ''), part: 'hidden tests' },
]

function searchSteps(folder: string, secretsOf: (trial: string) => readonly SecretLine[]) {
  const blobs = openBlobs(join(folder, 'blobs'))
  const written = new Map<string, string>()
  const leaks: Leak[] = []
  let prompts = 0
  for (const packed of allSteps(folder)) {
    const step = unpackStep(packed, blobs)
    const { trial, key } = step
    const before = written.get(trial) ?? ''
    const read = bare(readBy(step))
    if (step.kind === 'ask') prompts++
    for (const secret of secretsOf(trial)) {
      // An agent may read again what it wrote itself; solutions and tests may have a line in common.
      const isOwn = before.includes(secret.line)
      if (read.includes(secret.line) && !isOwn) leaks.push({ ...secret, trial, step: key })
    }
    written.set(trial, `${before}\n${bare(writtenBy(step))}`)
  }
  return { prompts, leaks }
}

/** Returns what an agent or a method's program gets to read by a step. */
function readBy(step: Step): string {
  if (step.kind === 'ask') return `${step.system ?? ''}\n${step.prompt}`
  if (step.kind === 'check') return step.output
  return step.kind === 'tool' ? step.result : ''
}

/** Returns what an agent wrote by a step. */
const writtenBy = (step: Step): string =>
  step.kind === 'ask' ? `${step.reply ?? ''}\n${textsIn(step.toolCalls)}` : ''

/** Returns the texts in a value, whatever it is nested in. */
function textsIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(textsIn).join('\n')
}
