import { join } from 'node:path'
import { expect, it } from 'vitest'
import { historyCharts } from '../../src/history/charts.ts'
import { historyData } from '../../src/history/history-data.ts'
import type { TrialRecord } from '../../src/schema/ledger/record.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { record } from '../helpers/runs/run-files.ts'
import { writeRun } from '../helpers/runs/write-run.ts'
import { crampedTexts } from '../reports/figures/text-boxes.ts'

const { spent } = record('x')
const methods = ['a', 'self-consistency-with-a-long-name', 'c', 'd', 'e']

/** Trials of five methods on three tasks; the dearest costs `most` dollars. */
const trials = (most: number): Partial<TrialRecord>[] =>
  methods.flatMap((method, i) =>
    ['x', 'y', 'z'].map((task, j) => ({
      ...{ method, task: `suite/${task}`, passed: i > j, simulated: true, mode: 'dev' as const },
      spent: { ...spent, costUsd: (most * (i + 1) * (10 + j)) / 60 },
    })),
  )

it.each([0.0001, 0.13, 7, 1e-7, 4321])(
  'no text of a chart lies on another or leaves it, in a wide and a narrow window, at %s dollars',
  async (most) => {
    const folder = tempFolder()
    for (const day of ['05', '06', '13', '20'])
      writeRun(
        join(folder, day),
        {
          simulated: true,
          mode: 'dev',
          createdAt: `2026-01-${day}T00:00:00.000Z`,
          note: `Note of ${day}. `.repeat(9),
        },
        trials(most),
      )
    const { groups } = await historyData(folder)
    const charts = groups[0] ? historyCharts(groups[0]) : {}
    expect(Object.keys(charts)).toHaveLength(8)
    for (const [name, svg] of Object.entries(charts)) expect(crampedTexts(svg), name).toEqual([])
    // The names of the lines stand in the figure, too, not only beside it.
    for (const name of ['trend-narrow', 'timeline-narrow'])
      for (const label of ['a, test', 'self-consiste', 'e, test']) expect(charts[name], name).toContain(label)
  },
)
