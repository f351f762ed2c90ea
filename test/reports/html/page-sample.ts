import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/base/package-root.ts'
import { figures } from '../../../src/reports/figures/registry.ts'
import { narrowWidth, successAgainstCost } from '../../../src/reports/figures/success-against.ts'
import { joinModules } from '../../../src/reports/html/document.ts'
import { pageAssets, renderPage } from '../../../src/reports/html/page.ts'
import { collectHandedIn, trialRow } from '../../../src/reports/html/trial-data.ts'
import { handedIn } from '../../../src/reports/story/handed-in.ts'
import { storyParts } from '../../../src/reports/story/story.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { Step } from '../../../src/schema/ledger/step.ts'
import { comparedReport } from '../comparison/compared-report.ts'
import { figuresOf } from '../figures/figure-samples.ts'

/** A run's page, made as the command makes it, with the baseline `b`. `leftOut`: stories from this place on are. */
export function pageOf(
  records: readonly TrialRecord[],
  steps: readonly Step[] = [],
  leftOut = Number.POSITIVE_INFINITY,
  contentOf: (hash: string) => string | undefined = () => undefined,
): string {
  const data = figuresOf(records, steps)
  const asset = (name: string) => readFileSync(join(packageRoot(), 'src/reports/html/page', name), 'utf8')
  const script = joinModules(pageAssets.script.map(asset))
  const own = new Map<string, Step[]>(records.map(({ trial }) => [trial, []]))
  for (const step of steps) own.get(step.trial)?.push(step)
  const deliveries = collectHandedIn(1e6)
  for (const record of records)
    deliveries.add(record, handedIn(record, own.get(record.trial) ?? [], contentOf))
  return renderPage({
    report: comparedReport(records, { baseline: 'b' }),
    figures: Object.fromEntries(Object.entries(figures).map(([name, draw]) => [name, draw(data)])),
    narrowFigure: successAgainstCost(data, narrowWidth),
    trials: records.map((record) => trialRow(record)),
    stories: records.map((record, index) =>
      index >= leftOut ? null : JSON.stringify(storyParts({ record, steps: own.get(record.trial) ?? [] })),
    ),
    handedIn: deliveries.data,
    style: pageAssets.style.map(asset).join('\n'),
    script,
    scriptHash: createHash('sha256').update(script).digest('base64'),
  })
}

/** Texts that try to break out of their place. */
export const hostile = [
  '</script><script>window.broken=1</script>',
  '<img src=x onerror="window.broken=1">',
  '"><svg onload=window.broken=1>',
  '</style><!--<script>',
  "');window.broken=1;//",
  '</title></desc></text>',
] as const
