import { expect, it } from 'vitest'
import { proveTasks } from '../../../src/loop/proof/prove-tasks.ts'
import type { SandboxRun } from '../../../src/sandbox/sandbox.ts'
import type { Task } from '../../../src/schema/task.ts'
import { rubricTask } from '../../helpers/graders/rubric-task.ts'
import { sampleTask } from '../../helpers/runs/sample-task.ts'

const options = {
  run: (() => Promise.reject(new Error('no program is needed'))) as SandboxRun,
  signal: new AbortController().signal,
  ...{ concurrency: 2, twice: true, generate: 2, seed: 1 },
}

const question = (answer: string, mutants?: Task['hidden']['mutants']): Task => {
  const spec = { output: 'answer', editable: [], graders: [{ kind: 'numeric', tolerance: 1 }] }
  const task = sampleTask({ spec, solution: { answer } })
  return mutants ? { ...task, hidden: { ...task.hidden, mutants } } : task
}

const prove = async (task: Task, more: Partial<typeof options> = {}) =>
  (await proveTasks([task], { ...options, ...more }))[0]

it('a task is proved if its reference passes, nothing fails, and its mutants fail, twice', async () => {
  expect(await prove(question('10', { far: { answer: '20' } }))).toMatchObject({
    state: 'proved',
    reference: { passed: [true, true] },
    nothing: { passed: [false, false] },
    mutants: { far: { passed: [false, false] } },
  })
  expect(await prove(question('10'), { twice: false })).toMatchObject({ reference: { passed: [true] } })
})

it('a mutant of the task that passes fails the proof; a generated one is only named', async () => {
  expect(await prove(question('10', { near: { answer: '10.5' } }))).toMatchObject({
    state: 'failed',
    faults: [{ what: 'its mutant near passes', fix: expect.stringContaining('Add a test') }],
  })
  const { state, generated } = (await prove(question('10'), { generate: 20 })) ?? {}
  expect(state).toBe('proved')
  expect(generated?.survivors).toContain('the answer "11"')
  expect(generated?.survivors).not.toContain('the answer "20"')
})

it('a task without a reference is not proved', async () => {
  expect(await prove(sampleTask({}))).toMatchObject({
    state: 'failed',
    faults: [{ what: 'it has no reference solution to prove it with' }],
  })
})

it('a task whose empty answer passes is not proved', async () => {
  const spec = { graders: [{ kind: 'tests', runner: 'command', command: ['true'], expectTests: 1 }] }
  const ended = { exitCode: 0, killedBy: null, stdout: '', stderr: '' }
  const run = (() =>
    Promise.resolve({ ...ended, timedOut: false, truncated: false })) as unknown as SandboxRun
  const task = sampleTask({ spec, solution: { files: { 'src/a.mjs': 'done' } } })
  expect(await prove(task, { run })).toMatchObject({
    state: 'failed',
    faults: [{ what: 'an empty answer passes' }],
  })
})

it('a reference that passes in one of two equal runs is flaky', async () => {
  let calls = 0
  const spec = { graders: [{ kind: 'tests', runner: 'command', command: ['check'], expectTests: 1 }] }
  const run = (({ files }: { files: Record<string, string> }) => {
    const isRight = files['src/a.mjs'] === 'done' && calls++ === 0
    return Promise.resolve({ exitCode: isRight ? 0 : 1, killedBy: null, stdout: '', stderr: 'no luck' })
  }) as unknown as SandboxRun
  const task = sampleTask({ spec, solution: { files: { 'src/a.mjs': 'done' } } })
  expect(await prove(task, { run, generate: 0 })).toMatchObject({
    state: 'flaky',
    reference: { passed: [true, false] },
    faults: [{ what: 'its reference fails in one of 2 runs', fix: expect.stringContaining('equal runs') }],
  })
})

it('a task that judges grade is proved without them, its mutants are not tried, and a warning says so', async () => {
  const mutants = { bad: { answer: 'wrong' } }
  const { hidden, ...rest } = rubricTask()
  const task = { ...rest, hidden: { ...hidden, solution: { answer: 'Paris, please.' }, mutants } }
  const proof = await prove(task)
  expect(proof).toMatchObject({
    state: 'proved',
    warnings: [{ kind: 'unjudged', text: 'quality; its mutants were not tried' }],
  })
  expect(proof).not.toHaveProperty('mutants')
  expect(proof).not.toHaveProperty('generated')
})
