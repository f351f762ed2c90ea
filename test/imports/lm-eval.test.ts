import { describe, expect, it } from 'vitest'
import { foreignFiles, importRun } from '../helpers/imports/import-run.ts'

const name = 'samples_sums_2026-01-21T03-44-18.458309.jsonl'
const results = 'results_2026-01-21T03-44-18.458309.json'

describe('samples of lm-evaluation-harness', () => {
  it('that name no filter count once a document, and it is told', async () => {
    const sample = (id: number, value: number) => ({ doc_id: id, doc_hash: `h${id}`, acc: value })
    const samples = [sample(0, 1), sample(0, 0), sample(1, 0), sample(1, 1)]
    const { manifest, said } = await importRun([foreignFiles({ [name]: samples })])
    expect(manifest).toMatchObject({ epochs: 1, imported: { rows: [{ passed: 1, failed: 1 }] } })
    expect(said).toContain('2 samples repeat a document and name no filter; the first reply to each counts')
  })

  it('without the usual metric say which numbers they have', async () => {
    const folder = foreignFiles({ [name]: [{ doc_id: 0, exact_match: 1, f1: 0.5 }] })
    const { said } = await importRun([folder])
    expect(said).toContain('it has no metric acc; it has exact_match, f1: choose one with --score')
    const chosen = await importRun([folder], { score: 'exact_match' })
    expect(chosen.manifest.imported?.rows).toMatchObject([{ passed: 1, notGraded: 0 }])
  })

  it('are refused with their filters for a filter that none has', async () => {
    const sample = (filter: string) => ({ doc_id: 0, filter, metrics: ['acc'], acc: 1 })
    const folder = foreignFiles({ [name]: [sample('strict'), sample('loose')] })
    await expect(importRun([folder], { score: 'acc,lose' })).rejects.toThrow(
      /names the filter lose, which no sample has.*loose.*Its filters: strict, loose/s,
    )
  })

  it('of a version that is not known are of the task whose version is', async () => {
    const samples = [{ doc_id: 0, doc_hash: 'h', acc: 1 }]
    const folder = foreignFiles({
      [`a/${name}`]: samples,
      [`a/${results}`]: { model_name: 'a', versions: { sums: 3 } },
      [`b/${name}`]: samples,
      [`b/${results}`]: { model_name: 'b' },
    })
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const { manifest } = await importRun(order.map((one) => `${folder}/${one}`))
      expect(manifest.tasks.map(({ ref }) => ref)).toEqual(['sums/0'])
    }
  })
})
