import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readVerdicts, writeVerdicts } from '../../../src/graders/verdicts/verdict-file.ts'
import type { SandboxRun } from '../../../src/sandbox/sandbox.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'
import type { Verdict } from '../../../src/schema/ledger/verdict.ts'
import { sha256 } from '../../../src/text/canonical-json.ts'
import { keptIn } from '../../helpers/graders/kept-verdicts.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, refused, root, stepsOf } from '../../helpers/runs/cli.ts'
import { codeTask, rightSum, sumTests } from '../../helpers/runs/sample-task.ts'
import { agentThatReplies, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const checks = { runner: 'node-test', expectTests: 3, timeoutMs: 20_000 }
const task = { ...codeTask({ spec: { checks }, checks: { 'sum.test.mjs': sumTests } }), digest: 'task 1' }
const noSandbox: SandboxRun = () => Promise.reject(new Error('the sandbox was started'))

const grade = {
  ...{ kind: 'grade' as const, level: 'full' as const },
  result: { scores: [{ name: 'tests', value: 1, reason: '1 of 1 tests passed' }], passed: true },
}

describe('kept verdicts', () => {
  it('give the records and steps of a run that grades, and start no sandbox', async () => {
    const play = (text: string, more: object) =>
      playTrial({
        task,
        agent: agentThatReplies(`FILE: src/sum.mjs\n\`\`\`\n${text}\`\`\`\n`),
        strategy: strategyOf(async ({ ask, workspace }) => {
          await ask('solver', 'go')
          return { stopReason: (await workspace.check()).status === 'passed' ? 'done' : 'stuck' }
        }),
        ...more,
      })
    for (const text of [rightSum, rightSum.replace('a + b', 'a - b'), 'export const add = (\n']) {
      const shown = ({ record, steps }: Awaited<ReturnType<typeof play>>) => {
        const { wall: _, ...same } = record
        return { record: same, steps }
      }
      const plain = shown(await play(text, {}))
      const making = keptIn([])
      expect(shown(await play(text, { verdicts: making.verdicts }))).toEqual(plain)
      expect(making.written().map(({ kind }) => kind)).toEqual(['check', 'grade'])
      const using = keptIn(making.written())
      expect(shown(await play(text, { verdicts: using.verdicts, sandbox: noSandbox }))).toEqual(plain)
      expect(using.verdicts.counts()).toEqual({ taken: 2, graded: 0, proved: 0 })
      expect(using.written()).toEqual([])
    }
  })

  it('are not kept of a solution that never ends', async () => {
    const grader = { kind: 'tests', runner: 'node-test', expectTests: 3, timeoutMs: 6000 }
    const slow = { ...codeTask({ spec: { graders: [grader] } }), digest: 'slow' }
    const { verdicts, written } = keptIn([])
    const { record } = await playTrial({
      ...{ task: slow, verdicts },
      agent: agentThatReplies('FILE: src/sum.mjs\n```\nfor (;;);\n```\n'),
      strategy: strategyOf(async ({ ask }) => {
        await ask('solver', 'go')
        return { stopReason: 'done' }
      }),
    })
    expect(record.passed).toBe(false)
    expect(verdicts.counts()).toEqual({ taken: 0, graded: 1, proved: 0 })
    expect(written()).toEqual([])
  })

  it('of 100,000 works takes less than 150 MiB', async () => {
    const many = Array.from({ length: 100_000 }, (_, i): Verdict => ({ ...grade, key: sha256(`${i}`) }))
    const path = join(tempFolder(), 'many.jsonl.gz')
    writeVerdicts(path, { programs: 'p', node: '20', python: null }, many)
    many.length = 0
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    const { verdicts } = await readVerdicts(path)
    globalThis.gc?.()
    expect(verdicts.size).toBe(100_000)
    expect((process.memoryUsage().heapUsed - before) / 1024 ** 2).toBeLessThan(150)
  })
})

describe('bench run --verdicts', () => {
  const cwd = join(root, 'fixtures/recorded/cheap-models')
  const study = (run: string, ...more: readonly string[]) => [
    ...argv`run --mode live --tasks humaneval:tasks/humaneval.jsonl.gz:6 --methods qwen-7b,checks-qwen`,
    ...argv`--prices prices.yaml --quiet --parallel 2 --out ${run} ${more}`,
  ]
  /** Records and steps of a run without what is measured. */
  const heldBy = (run: string) => ({
    records: recordsOf(run).map(({ wall: _, ...record }) => record),
    steps: stepsOf(run)
      .map(({ durationMs: _, sum: __, ...step }: Step & { sum?: string }) => step)
      .sort((a, b) => (`${a.trial} ${a.key}` < `${b.trial} ${b.key}` ? -1 : 1)),
  })
  const linesOf = (file: string) => gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')

  it('runs no code that its file has verdicts of, with the records of a run that does', async () => {
    const folder = tempFolder()
    const at = (name: string) => join(folder, name)
    const [plain, made, used] = [at('plain'), at('made'), at('used')]
    const file = at('verdicts.jsonl.gz')
    await benchOk(study(plain), { cwd })
    await benchOk(study(made, '--verdicts', file, '--update-verdicts'), { cwd })
    const bytes = readFileSync(file)
    const { code, stderr } = await bench(study(used, '--verdicts', file), { cwd })
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(
        /Verdicts of code: (\d+) of \1 were taken from verdicts\.jsonl\.gz \(SHA-256 [0-9a-f]{12}\); for 0 the code was run\./,
      ),
    ])
    expect(heldBy(made)).toEqual(heldBy(plain))
    expect(heldBy(used)).toEqual(heldBy(plain))
    expect(await benchOk(['replay', used])).toContain('no divergence')
    expect(await benchOk(['replay', used, '--regrade'])).toContain('no divergence')
    expect(await benchOk(['report', used])).toContain('Verdicts of code: ')

    const proved = await bench(study(at('proved'), '--verdicts', file, '--prove-verdicts', 'all'), { cwd })
    expect([proved.code, proved.stderr]).toEqual([0, expect.stringMatching(/of those taken were proved by/)])
    expect(readFileSync(file)).toEqual(bytes)

    const [header = '', ...verdicts] = linesOf(file)
    const forged = verdicts.map((line) => line.replace('"passed":true', '"passed":false'))
    writeFileSync(file, gzipSync([header, ...forged, ''].join('\n')))
    const wrong = await bench(study(at('wrong'), '--verdicts', file, '--prove-verdicts', 'all'), { cwd })
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringMatching(/says of this work .*"passed":false.*, but judging gives .*"passed":true/),
    ])

    const other = { ...JSON.parse(header), node: '18' }
    writeFileSync(file, gzipSync([JSON.stringify(other), ...forged, ''].join('\n')))
    const ignored = await bench(study(at('ignored'), '--verdicts', file), { cwd })
    expect([ignored.code, ignored.stderr]).toEqual([
      0,
      expect.stringMatching(
        /was made by Node 18, and this is Node \d+; none of its \d+ verdicts is used, and all code is run\n/,
      ),
    ])
    expect(heldBy(at('ignored'))).toEqual(heldBy(plain))
  })

  it('keeps the file on resume, and runs the code if it is gone', async () => {
    const folder = tempFolder()
    const file = join(folder, 'verdicts.jsonl')
    const run = join(folder, 'run')
    const stopped = await bench(study(run, '--verdicts', file, '--update-verdicts', '--max-calls', '4'), {
      cwd,
    })
    expect(stopped.code).toBe(3)
    const before = (await readVerdicts(file)).verdicts.size
    expect(before).toBeGreaterThan(0)
    await refused(['run', '--resume', run, '--verdicts', file], [/--verdicts/], { cwd })
    const more = argv`run --resume ${run} --max-calls none --quiet`
    expect((await bench([...more, '--update-verdicts'], { cwd })).code).toBe(0)
    expect((await readVerdicts(file)).verdicts.size).toBeGreaterThan(before)
    expect(await benchOk(['replay', run])).toContain('no divergence')
  })

  it.each([
    [['--update-verdicts'], /--update-verdicts\] names no file of verdicts/],
    [['--prove-verdicts', '1/10'], /--prove-verdicts\] names no file of verdicts/],
    [['--verdicts', 'none.jsonl'], /none\.jsonl\] does not exist/],
    [['--verdicts', 'prices.yaml'], /prices\.yaml:1\] is no header of a file of verdicts/],
    [['--verdicts', 'no/such/v.jsonl', '--update-verdicts'], /lies in a folder that does not exist/],
    [['--verdicts', 'v.jsonl', '--update-verdicts', '--prove-verdicts', '3/2'], /is no part of the verdicts/],
  ])('refuses %j', async (more, said) => {
    await refused(study(join(tempFolder(), 'run'), ...more), [said], { cwd })
  })
})
