/** The header of a log of Inspect AI, without results. */
export const inspectHeader = ({ sampleIds, epochs = 1 }: { sampleIds?: number[]; epochs?: number } = {}) => ({
  version: 2,
  status: 'success',
  eval: {
    ...{ run_id: 'run-1', created: '2026-01-01T00:00:00Z', task: 'sums', task_version: 1, model: 'vendor/m' },
    dataset: { name: 'sums', sample_ids: sampleIds ?? null },
    config: { epochs },
  },
  plan: { steps: [{ solver: 'generate' }] },
  results: { scores: [{ name: 'match', metrics: {} }] },
})

/** A sample of a log, scored by `match`. */
export const inspectSample = (id: number, score: { value: unknown } = { value: 'C' }) => ({
  ...{ id, epoch: 1, input: `${id} + 1?`, target: String(id + 1) },
  scores: { match: score },
  model_usage: { 'vendor/m': { input_tokens: 10, output_tokens: 2, total_tokens: 12 } },
  output: { completion: 'Yes' },
  total_time: 1.5,
})
