import { describe, expect, it } from 'vitest'
import { failed, judge } from '../../graders/test-run/judge-sum.ts'
import { builtinAnswer, forger } from '../../helpers/graders/forgers.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { codeTask, rightSum, sumTests } from '../../helpers/runs/sample-task.ts'

const wrongSum = 'export const add = () => 0\nexport const double = () => 0\n'
describe('a wrong solution does not pass by', { timeout: 30_000 }, () => {
  it.each([
    ['exiting at import', `${wrongSum}process.exit(0)`],
    ['exiting in a test', 'export const add = () => process.exit(0)\nexport const double = add'],
    [
      'exiting later',
      `${wrongSum}setImmediate(() => process.exit(0))\nawait new Promise(() => setTimeout(() => {}, 1e6))`,
    ],
    ['aborting', `${wrongSum}process.reallyExit(0)`],
    ['exiting in an exit handler', `${wrongSum}process.on('exit', () => process.exit(0)); process.exit(0)`],
    ["removing the harness's exit handler", `${wrongSum}process.removeAllListeners('exit'); process.exit(0)`],
    ['hiding the failing exit code', `${wrongSum}process.on('exit', () => { process.exitCode = 0 })`],
  ])('%s', async (_, source) => {
    expect(await judge(source)).toMatchObject(failed)
  })

  it('printing a fake report', async () => {
    const source = `${wrongSum}
      for (const token of ['token', '0'.repeat(36), '00000000-0000-4000-8000-000000000000']) {
        console.log('\\n' + token + '\\npassed\\t"adds"\\t""\\npassed\\t"adds negatives"\\t""\\npassed\\t"doubles"\\t""\\nfinished\\n' + token + ' end\\n')
        console.log(JSON.stringify({ token, passed: 3, total: 3 }))
        console.log('# tests 3\\n# pass 3\\n# fail 0\\nok 1 - adds')
      }`
    expect(await judge(source)).toMatchObject({ ...failed, tests: { passed: 0, total: 3 } })
  })

  it('changing output while it is written', async () => {
    const source = `import fs from 'node:fs'\nimport { syncBuiltinESMExports } from 'node:module'\n${wrongSum}
      const { writeSync } = fs
      const { from } = Buffer
      const better = (data) => typeof data === 'string' ? data.replaceAll('failed', 'passed') : from(better(from(data).toString()))
      fs.writeSync = (fd, data, ...rest) => writeSync(fd, better(data), ...rest)
      Buffer.from = (data, ...rest) => from(better(data), ...rest)
      const { stringify } = JSON
      JSON.stringify = (...all) => better(stringify(...all))
      syncBuiltinESMExports()`
    expect(await judge(source)).toMatchObject({ ...failed, tests: { passed: 0, total: 3 } })
  })

  it.each(tableOf<[string, string][]>(import.meta.url, 'cases'))('%s', async (_, source) => {
    expect((await judge(`${wrongSum}${source}`)).passed).toBe(false)
  })

  it('skipping the tests from within', async () => {
    const source = `import { beforeEach } from 'node:test'\n${wrongSum}beforeEach((context) => context.skip())`
    expect(await judge(source)).toMatchObject({ ...failed, tests: { passed: 0, total: 3 } })
  })

  describe('changing the tests', () => {
    const twoFiles = codeTask({
      tests: { 'a.test.mjs': sumTests, 'b.test.mjs': sumTests.replaceAll("('", "('b ") },
      spec: { graders: [{ kind: 'tests', runner: 'node-test', expectTests: 6 }] },
    })
    const easy = `import test from 'node:test'\\nfor (const name of ['b adds', 'b adds negatives', 'b doubles']) test(name, () => {})`

    // Without a sandbox the folder of the tests can be found beside the solution's.
    const everywhere = `import fs from 'node:fs'\nimport path from 'node:path'
      const beside = fs.readdirSync('../..').map((name) => path.join('../..', name, 'workspace/tests/b.test.mjs'))
      const found = beside.filter((file) => fs.existsSync(file) && fs.readFileSync(file, 'utf8').includes('b adds'))`

    it('by overwriting tests that run later', async () => {
      const source = `${everywhere}\n${wrongSum}for (const file of found) fs.writeFileSync(file, "${easy}")`
      const result = await judge(source, twoFiles)
      expect(result).toMatchObject(failed)
      expect(result.reason).toContain('changed tests/b.test.mjs')
    })

    it('by deleting tests that run later', async () => {
      const source = `${everywhere}\n${wrongSum}for (const file of found) fs.rmSync(file)`
      const result = await judge(source, twoFiles)
      expect(result).toMatchObject(failed)
      expect(result.reason).toContain('changed tests/b.test.mjs')
    })

    it("in the solution's process, where there are none", async () => {
      const source = `import fs from 'node:fs'\n${wrongSum}fs.mkdirSync('tests'); fs.writeFileSync('tests/b.test.mjs', "${easy}")`
      expect(await judge(source, twoFiles)).toMatchObject(failed)
      const looks = `import fs from 'node:fs'\n${rightSum}if (fs.existsSync('tests')) throw new Error('found')`
      expect(await judge(looks, twoFiles)).toMatchObject({ value: 1 })
    })

    it('by leaving files of the same name', async () => {
      const open = codeTask({ spec: { editable: ['**'] } })
      const files = {
        'src/sum.mjs': wrongSum,
        'tests/sum.test.mjs': `import test from 'node:test'\ntest('a', () => {})`,
      }
      expect((await gradeLeft(open, { files })).scores[0]).toMatchObject({
        value: 0,
        tests: { passed: 0, total: 3 },
      })
    })
  })
})

describe('a solution that takes over the channel to the tests', { timeout: 60_000 }, () => {
  const forged = (answer: string) => judge(`${forger(answer)}\n${wrongSum}`)

  it('passes a test only by a right guess', async () => {
    const result = await forged(`send('return', number, [], [5])`)
    expect(result).toMatchObject({ passed: false, tests: { passed: 1, total: 3 } })
    expect(result.reason).toContain('5 !== 8')
  })

  it.each([
    ['an invalid message', `raw('passed')`, 'sent a line that cannot be understood'],
    [
      'a message of an unknown kind',
      `send('finish', number, [], [])`,
      'sent a message that cannot be understood',
    ],
    [
      'a call of a function that it never got',
      `send('call', 1, [], [['builtin', 'Map'], null, ['undefined'], ''])`,
      'sent a call that',
    ],
    ...['Function', 'process'].map((name) => [
      `the tests' own ${name}`,
      builtinAnswer(name),
      'sent a value that',
    ]),
    ['a step of what it never got', `send('step', 1, [], [values[0], 'next'])`, 'sent a step that'],
    ['an object that it does not have', `send('return', number, [], [['ref', 77]])`, 'sent a number that'],
  ])('fails all tests by %s', async (_, answer, reason) => {
    const result = await forged(answer)
    expect(result).toMatchObject({ ...failed, tests: { passed: 0, total: 3 } })
    expect(result.reason).toContain(`the solution's process ${reason}`)
  })
})
