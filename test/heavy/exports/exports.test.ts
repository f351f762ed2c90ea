import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'
import { filesOf, published } from '../../helpers/exports/export-run.ts'
import { richRecords, richRun, richSteps } from '../../helpers/exports/rich-run.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, shareProcess } from '../../helpers/runs/cli.ts'
import { startHookServer } from '../../helpers/servers/hook-server.ts'

shareProcess()

it.each(['otlp', 'atif', 'every-eval-ever'])('removes secrets of the environment from %s', async (format) => {
  const secret = 'Secret reply.'
  const out = join(tempFolder(), 'out')
  const args = ['export', richRun(), '--format', format, '--out', out]
  const { code } = await bench([...args, ...(format === 'otlp' ? ['--content'] : [])], {
    env: { OWN_API_KEY: secret },
  })
  expect(code).toBe(0)
  const text = format === 'otlp' ? readFileSync(out, 'utf8') : JSON.stringify(filesOf(out))
  expect(text).not.toContain(secret)
  expect(text).toContain('[redacted OWN_API_KEY]')
})

it('sends the traces of a run to a collector, with the headers of the environment', async () => {
  const { url, calls } = await startHookServer((response) => void response.end('{}'))
  const env = {
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20abc%2Cdef, x-team = a=b',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-team=c',
  }
  const { code, stderr, stdout } = await bench(['export', published, '--format', 'otlp', '--to', url], {
    env,
  })
  const spans = calls.flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)
  expect({ code, stdout, stderr }).toEqual({
    ...{ code: 0, stdout: '', stderr: `sent: ${spans.length} spans to ${url}/v1/traces` },
  })
  for (const { headers } of calls)
    expect(headers).toMatchObject({ authorization: 'Bearer abc,def', 'x-team': 'c' })
})

it('is imported, reported and exported again by the commands alone', async () => {
  const cwd = tempFolder()
  const run = richRun()
  await benchOk(['export', run, '--format', 'atif', '--out', 'job'], { cwd })
  await benchOk(['import', 'job', '--out', 'again'], { cwd })
  expect(await benchOk(['report', 'again'], { cwd })).toContain('imported')
  await benchOk(['export', 'again', '--format', 'every-eval-ever', '--out', 'datastore'], { cwd })
  expect(Object.keys(filesOf(join(cwd, 'datastore')))).toHaveLength(4)
})

it.each(['otlp', 'atif', 'every-eval-ever'])(
  'needs no more memory for %s of a long run than for its longest trial',
  async (format) => {
    const recorded = Array.from({ length: 300 }, (_, at) => ({
      ...(richRecords[0] as TrialRecord),
      trial: `t${at}`,
      epoch: at + 1,
    }))
    const prompt = 'x'.repeat(50_000)
    const steps = recorded.flatMap(({ trial }) =>
      richSteps.map((step) => ({ ...step, trial, ...('prompt' in step && { prompt }) }) as Step),
    )
    const run = richRun({}, { recorded, steps })
    const args = ['export', run, '--format', format, '--out', join(tempFolder(), 'out')]
    const content = format === 'otlp' ? ['--content'] : []
    expect(statSync(join(run, 'steps.jsonl')).size).toBeGreaterThan(90_000_000)
    const { code, stderr } = await bench([...args, ...content], {
      env: { NODE_OPTIONS: '--max-old-space-size=72' },
    })
    expect(code, stderr).toBe(0)
  },
)
