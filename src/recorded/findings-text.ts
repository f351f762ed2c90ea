import { counted, formatCount } from '../reports/words/numbers.ts'
import type { ImportedReplies } from './import-source.ts'

/** Returns what was found in a source, a sentence each, with counts. `tasks`: those that the user selected. */
export function findingTexts({ replies, findings }: ImportedReplies, tasks: readonly string[]): string[] {
  const { ignored, texts, beside, uncounted, empty, unclosed, unnamed, lines } = findings
  const answered = new Set(replies.map(({ task }) => task))
  const suites = new Set(replies.map(({ task }) => task.split('/')[0]))
  const unanswered = tasks.filter((task) => !answered.has(task) && suites.has(task.split('/')[0]))
  const judged = (['read', 'correct'] as const).filter((field) => ignored.has(field))
  const cut = probablyCut(findings.outputs)
  const all: (string | false | undefined)[] = [
    ignored.has('cost') &&
      `cost is not read (${counted(ignored.get('cost') ?? 0, 'line')}): it does not say its currency, which may be roubles; money comes from tokens and --prices`,
    judged.length > 0 &&
      `${judged.join(' and ')} ${judged.length > 1 ? 'are' : 'is'} not believed: bench reads and grades each reply itself`,
    ...[...unnamed].map(
      ([why, ids]) =>
        `${formatCount(ids.length)} of ${counted(lines, 'reply', 'replies')} left out, since ${whys[why]}: ${listed(ids)}`,
    ),
    unanswered.length > 0 && `${counted(unanswered.length, 'task')} without a reply: ${listed(unanswered)}`,
    empty.length > 0 &&
      `${counted(empty.length, 'empty reply', 'empty replies')}, which will count as failed: ${listed(empty)}`,
    cut &&
      `${counted(cut.replies, 'reply', 'replies')} with exactly ${formatCount(cut.tokens)} output tokens, the most there are: probably cut off by a limit`,
    unclosed.length > 0 &&
      `${counted(unclosed.length, 'reply', 'replies')} with a block of code that does not end, perhaps cut off: ${listed(unclosed)}`,
    texts > 0 &&
      `${counted(texts, 'usage', 'usages')} with numbers written as texts, which were read as numbers`,
    beside > 0 &&
      `${counted(beside, 'reply', 'replies')} whose input did not count the cached tokens, which were added to it`,
    uncounted.length > 0 &&
      `${counted(uncounted.length, 'reply', 'replies')} without known tokens, so without a price: ${listed(uncounted)}`,
  ]
  return all.filter((text) => typeof text === 'string')
}

const whys = {
  unknown: 'no selected task has their id or stands in their prompt',
  several: 'several selected tasks fit',
  'other-prompt': 'their prompt does not hold the task that has their id',
}

const listed = (names: readonly string[]) =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`

/** Returns the most output tokens, if several replies have exactly as many, or if it is a usual limit. */
function probablyCut(outputs: readonly number[]): { replies: number; tokens: number } | undefined {
  const tokens = outputs.reduce((most, one) => Math.max(most, one), 0)
  const replies = outputs.filter((one) => one === tokens).length
  const isLimit = tokens >= 500 && (tokens % 500 === 0 || Number.isInteger(Math.log2(tokens)))
  return tokens >= 100 && (isLimit || (replies > 2 && replies > 1)) ? { replies, tokens } : undefined
}
