import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ChainState } from '../../../src/schema/stage/chain-state.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { chainPlace, git, newState, runStage, stateIn, writeFiles } from '../../helpers/stages/chained.ts'

const sum = {
  'src/sum.mjs': 'export const sum = (a, b) => a - b\n',
  'test/sum.test.mjs': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sum } from '../src/sum.mjs'
test('adds', () => assert.equal(sum(1, 2), 3))
test('has a name', () => assert.equal(sum.name, 'sum'))
`,
}
const mended = 'export const sum = (a, b) => a + b\n'

describe('a stage alone', () => {
  it('tests and ships a copy of the folder, and leaves the folder as it is', async () => {
    const folder = tempFolder()
    writeFiles(folder, sum)
    const failed = await runStage('test', ['42', 'w1'], folder)
    expect(failed).toEqual({ exitCode: 1, stdout: 'test: 1 of 2 tests passed', stderr: '' })
    const state = ChainState.parse(stateIn(folder, 'w1'))
    expect(state).toMatchObject({ workflow_id: 'w1', issue: '42', task: '', round: 1 })
    expect(state.test_results).toMatchObject({
      summary: { total: 2, passed: 1, failed: 1 },
      failures: [{ test_name: 'adds', file: 'test/sum.test.mjs' }],
    })

    const home = join(folder, '.bench/w1')
    writeFileSync(join(home, 'workspace/src/sum.mjs'), mended)
    expect((await runStage('test', ['42', 'w1'], folder)).exitCode).toBe(0)
    const shipped = await runStage('ship', ['42', 'w1'], folder)
    expect(shipped).toMatchObject({ exitCode: 0, stderr: '' })
    const { ship, stages } = stateIn(folder, 'w1')
    expect(ship).toMatchObject({ branch: 'bench/w1', files: ['src/sum.mjs'] })
    expect(stages.map(({ stage, status }) => `${stage} ${status}`)).toEqual([
      'test failed',
      'test done',
      'ship done',
    ])
    expect(readFileSync(join(folder, 'src/sum.mjs'), 'utf8')).toBe(sum['src/sum.mjs'])
    await git(folder, 'apply', '.bench/w1/change.patch')
    expect(readFileSync(join(folder, 'src/sum.mjs'), 'utf8')).toBe(mended)
    expect(readdirSync(home).sort()).toEqual(['change.patch', 'repository', 'state.json', 'workspace'])
  })

  it('takes the text of a file as its task', async () => {
    const folder = tempFolder()
    writeFiles(folder, { ...sum, 'notes/bug-7.md': 'Adding subtracts.\n' })
    await runStage('test', ['notes/bug-7.md', 'w1'], folder)
    expect(stateIn(folder, 'w1')).toMatchObject({ issue: 'bug-7', task: 'Adding subtracts.\n' })
    expect((await runStage('test', ['bug-7', 'w1'], folder)).stdout).toBe('test: 1 of 2 tests passed')
    writeFileSync(join(folder, 'notes/bug-7.md'), 'Something else.\n')
    const { stderr } = await runStage('test', ['notes/bug-7.md', 'w1'], folder)
    expect(stderr).toMatch(/is not the one that workflow w1 began with/)
  })

  it('names the command that has agents where it needs one', async () => {
    const folder = tempFolder()
    const { exitCode, stderr } = await runStage('plan', ['42', 'w1'], folder)
    expect({ exitCode, stderr }).toMatchSnapshot()
    expect(existsSync(join(folder, '.bench'))).toBe(false)
  })

  it('refuses wrong words, ids and issues in words, and changes nothing', async () => {
    const folder = tempFolder()
    writeFiles(folder, { 'a.txt': '' })
    await runStage('ship', ['42', 'w1'], folder)
    const before = readFileSync(join(folder, '.bench/w1/state.json'), 'utf8')
    const cases: [words: string[], message: RegExp][] = [
      [[], /^ship: it takes two words, got 0\nusage: node ship\.mjs ISSUE WORKFLOW_ID$/],
      [['../x', 'w1'], /^ship: the issue "\.\.\/x" is neither a file nor an id/],
      [['42', '../x'], /^ship: the workflow id "\.\.\/x" must be small letters/],
      [['42', 'W1'], /^ship: the workflow id "W1" must be small letters/],
      [['43', 'w1'], /^ship: workflow w1 is about issue "42", not "43"/],
    ]
    const ends = await Promise.all(cases.map(([words]) => runStage('ship', words, folder)))
    for (const [index, { exitCode, stdout, stderr }] of ends.entries()) {
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
      expect(stderr).toMatch(cases[index]?.[1] as RegExp)
      expect(stderr).not.toMatch(/\n\s+at /)
    }
    expect(readFileSync(join(folder, '.bench/w1/state.json'), 'utf8')).toBe(before)
    expect(readdirSync(join(folder, '.bench')).sort()).toEqual(['.gitignore', 'w1'])
  })
})

describe('a stage under bench', () => {
  it('plans: asks the planner, who sees the task and the files', async () => {
    const place = chainPlace({ start: sum, answer: () => 'First add.\nThen test.' })
    expect(await place.run('plan')).toMatchObject({ exitCode: 0, stdout: 'plan: a plan of 2 lines' })
    expect(place.state()).toEqual({
      ...newState({ plan: 'First add.\nThen test.' }),
      stages: [{ stage: 'plan', status: 'done', detail: 'a plan of 2 lines' }],
    })
    expect(place.requests).toMatchObject([{ ask: { role: 'planner', show: { task: newState().task } } }])
    expect(JSON.stringify(place.requests)).toContain('FILE: src/sum.mjs')
  })

  it('builds: asks for the task first, later for what is wrong alone', async () => {
    const answer = (request: Record<string, unknown>, workspace: string) => {
      if ('ask' in request) writeFileSync(join(workspace, 'src/sum.mjs'), mended)
      return 'Done.'
    }
    const first = chainPlace({ start: sum, state: newState({ plan: 'Add.' }), answer })
    expect(await first.run('build')).toMatchObject({
      exitCode: 0,
      stdout: 'build: the builder replied; there is no build to check',
    })
    expect(first.state()).toMatchObject({ answer: 'Done.', round: 1 })
    expect(first.state().build_results).toBeUndefined()

    const failures = [{ test_name: 'adds', file: 'test/sum.test.mjs', line: 4, error: '-1 == 3' }]
    const summary = { total: 2, passed: 1, failed: 1, skipped: 0 }
    const test_results = { success: false, summary, failures }
    const state = newState({ round: 2, test_results, documentation: 'Old.' })
    const second = chainPlace({ start: sum, state, answer })
    await second.run('build')
    const [{ ask }] = second.requests as [{ ask: { prompt: string; show: Record<string, string> } }]
    expect(ask.prompt).toMatch(/^Your last work on the task was checked/)
    expect(ask.show.problems).toBe(JSON.stringify({ test_failures: failures }))
    expect(Object.keys(second.state())).not.toContain('test_results')
    expect(Object.keys(second.state())).not.toContain('documentation')
  })

  it('reviews: shows the change and the results, and fails where the verdict is to revise', async () => {
    const review = { verdict: 'revise', comments: 'Not yet.', blocking: ['Name it add.'] }
    const place = chainPlace({
      start: sum,
      work: { ...sum, 'src/sum.mjs': mended },
      answer: () => review,
    })
    expect(await place.run('review')).toMatchObject({
      exitCode: 1,
      stdout: 'review: revise: 1 blocking problem',
    })
    expect(place.state().review).toEqual(review)
    const [{ ask }] = place.requests as [{ ask: { show: Record<string, string>; shape: object } }]
    expect(ask.show.changes).toContain(
      '-export const sum = (a, b) => a - b\n+export const sum = (a, b) => a + b\n',
    )
    expect(ask.shape).toMatchObject({ required: ['verdict', 'comments', 'blocking'] })
  })

  it('documents without touching files', async () => {
    const place = chainPlace({
      start: sum,
      work: { ...sum, 'src/sum.mjs': mended },
      answer: () => 'It adds.',
    })
    expect(await place.run('document')).toMatchObject({ exitCode: 0 })
    expect(place.state()).toMatchObject({ documentation: 'It adds.' })
    expect(readdirSync(place.workspace).sort()).toEqual(['src', 'test'])
    expect(readdirSync(place.home)).toEqual([])
  })

  it('tests by the visible checks where the files have no tests', async () => {
    const check = { status: 'failed', passed: 1, total: 3, output: 'not ok 2' }
    const place = chainPlace({ start: { 'a.txt': '' }, answer: ({ check: asked }) => (asked ? check : null) })
    expect(await place.run('test')).toMatchObject({ exitCode: 1 })
    expect(place.state().test_results).toMatchSnapshot()
  })

  it.each([
    ['loads', mended, 'passed', 0, { total: 5, passed: 4, failed: 0, skipped: 1 }],
    ['loads, and a check fails', mended, 'failed', 1, { total: 5, passed: 2, failed: 2, skipped: 1 }],
    [
      "can't be loaded",
      `import './gone.mjs'\n${mended}`,
      'passed',
      1,
      { total: 4, passed: 3, failed: 1, skipped: 0 },
    ],
    ["can't be read", 'export const = 1\n', 'passed', 0, { total: 3, passed: 3, failed: 0, skipped: 0 }],
  ])(
    'beside visible checks it counts made tests: of work that %s',
    async (_, text, status, exitCode, summary) => {
      const check = { status, passed: status === 'passed' ? 3 : 1, total: 3, output: 'not ok' }
      const place = chainPlace({
        ...{ start: { 'a.txt': '' }, work: { 'src/sum.mjs': text } },
        answer: ({ check: asked }) => (asked ? check : null),
      })
      expect(await place.run('test')).toMatchObject({ exitCode })
      expect(place.state().test_results).toMatchObject({ success: exitCode === 0, summary })
      expect(place.state().test_gen_results?.target).toBe('src/sum.mjs')
      expect(readdirSync(place.workspace)).toEqual(['src'])
    },
  )

  it('tests by made tests where there are no checks either, and leaves none of them', async () => {
    const work = { 'src/sum.mjs': mended }
    const place = chainPlace({ start: { 'a.txt': '' }, work, answer: () => ({ status: 'none' }) })
    expect(await place.run('test')).toMatchObject({ exitCode: 0 })
    expect(place.state()).toMatchObject({
      test_gen_results: { success: true, target: 'src/sum.mjs', framework: 'node:test' },
      test_results: { success: true },
    })
    expect(readdirSync(place.workspace)).toEqual(['src'])
  })

  it('keeps what tests write out of the work', async () => {
    const test = `import { rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
test('writes', () => {
  writeFileSync('left.txt', '')
  rmSync('src', { recursive: true })
})
`
    const start = { ...sum, 'test/sum.test.mjs': test }
    const place = chainPlace({ start })
    expect(await place.run('test')).toMatchObject({ exitCode: 0 })
    expect(readdirSync(place.workspace).sort()).toEqual(['src', 'test'])
  })

  it('tells what the report of a tool saves', async () => {
    const place = chainPlace({ start: sum, answer: () => null })
    await place.run('test')
    expect(place.requests).toEqual([
      { saving: { tool: 'test-runner', rawTokens: expect.any(Number), compactTokens: expect.any(Number) } },
    ])
  })

  it('writes down why an agent gave no reply, and fails', async () => {
    const error = { reason: 'agent', cause: 'timeout', message: 'the agent did not reply in 60 s' }
    const place = chainPlace({ start: sum, answer: () => ({ error }) })
    const { exitCode, stderr } = await place.run('plan')
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: `plan: ${error.message}` })
    expect(place.state().stages).toEqual([{ stage: 'plan', status: 'failed', detail: error.message }])
  })

  it('ships nothing where nothing was changed', async () => {
    const place = chainPlace({ start: sum })
    const { exitCode, stdout } = await place.run('ship')
    expect(exitCode).toBe(1)
    expect(stdout).toBe('ship: there is nothing to ship: the files are those of the start')
    expect(place.state().ship).toBeUndefined()
  })

  it.each([
    ['no JSON', '{"version":1', /is not JSON/],
    ['a field that is unknown', JSON.stringify({ ...newState(), extra: 1 }), /must not have "extra"/],
    [
      'another workflow',
      JSON.stringify(newState({ workflow_id: 'w2' })),
      /belongs to workflow w2, not to w1/,
    ],
  ])('leaves a state file with %s as it is, and says what is wrong', async (_, state, message) => {
    const place = chainPlace({ start: sum, state, answer: () => 'A plan.' })
    for (const stage of ['plan', 'test', 'ship']) {
      const { exitCode, stderr } = await place.run(stage)
      expect({ exitCode }).toEqual({ exitCode: 1 })
      expect(stderr).toMatch(message)
    }
    expect(place.requests).toEqual([])
    expect(readFileSync(place.statePath, 'utf8')).toBe(state)
  })
})
