import { basename, extname } from 'node:path'
import { normal, type Random, seededRandom } from '../../base/random.ts'
import { type HandOff, joinReply, requestItem } from '../../formats/hand-off.ts'
import { documentName, type Element, element } from '../../formats/tree.ts'
import type { Profile } from '../../schema/agent/profile.ts'
import type { OrchestratorDecision } from '../../schema/machine/decision.ts'
import { textOfSize } from '../../text/token-estimate.ts'
import type { AgentRequest } from '../agent.ts'
import { errorRate, probability, seedOf, signalOf, type Verdict } from './behaviour.ts'
import { qualityUnder, type Submissions } from './submissions.ts'

interface Offered {
  checkpoint: string
  /** Paths of outputs that hold work on the task, and how good it is: 1 is right. */
  works: { path: string; quality: number }[]
  outputs: string[]
  /** States that can be run again. */
  states: string[]
}

/**
 * Returns the decision of a simulated orchestrator. With the profile's skill of deciding it goes on while there is nothing to hand
 * in, and takes work that is right; else it decides by chance.
 */
export function simulatedDecision(
  prompt: string,
  submissions: Submissions,
  skill: number,
  random: Random,
): OrchestratorDecision {
  const offered = readOffer(prompt, submissions)
  return random() < probability(skill) ? soundDecision(offered, random) : anyDecision(offered, random)
}

function soundDecision(offered: Offered, random: Random): OrchestratorDecision {
  const { checkpoint, works } = offered
  const best = works.find(({ quality }) => quality === 1) ?? works.at(-1)
  const isPressed = checkpoint === 'loop_warning' || checkpoint === 'timeout_warning'
  if (!isPressed) return checkpoint === 'repeated_retry' && random() < 0.5 ? retry(offered) : proceed()
  if (best && (best.quality === 1 || random() < 0.5)) return complete(best.path)
  return random() < 0.5 ? retry(offered) : proceed()
}

function anyDecision(offered: Offered, random: Random): OrchestratorDecision {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]
  const output = pick(offered.outputs)
  const all = [
    proceed(),
    retry(offered),
    ...(output === undefined ? [] : [complete(output)]),
    { decision: 'halt' as const, reasoning: 'Another round would not help.' },
    { decision: 'dump_context' as const, reasoning: 'I do not see what happened.' },
  ]
  return pick(all) ?? proceed()
}

const proceed = (): OrchestratorDecision => ({
  decision: 'proceed',
  reasoning: 'The work gets better; one more round may finish it.',
})

const complete = (use_output: string): OrchestratorDecision => ({
  decision: 'force_complete',
  reasoning: 'No further round is likely to be better than this output.',
  use_output,
})

function retry({ states }: Offered): OrchestratorDecision {
  const [retry_from] = states
  if (retry_from === undefined) return proceed()
  return {
    decision: 'retry_different',
    reasoning: 'Each round repeats the faults of the one before.',
    retry_from,
    guidance: 'Go through the rules of the task one by one, and check each of them before you hand in.',
  }
}

function readOffer(prompt: string, submissions: Submissions): Offered {
  const outputs = Array.from(
    prompt.matchAll(/^- (\S+)(?: by \S+)?(?: in \S+, visit \d+)?: \d+ words?$/gm),
  ).flatMap(([, path]) => path ?? [])
  const works = outputs.flatMap((path) => {
    const quality = qualityUnder(heading(path), outputs.map(heading), submissions, prompt)
    return quality === undefined ? [] : [{ path, quality }]
  })
  const again = /^- retry_different: .*?\(([^)]*)\)/m.exec(prompt)?.[1]?.split(', ') ?? []
  const checkpoint = /^(\w+): .*The workflow has left/m.exec(prompt)?.[1] ?? ''
  return { checkpoint, works, outputs, states: again }
}

const heading = (path: string) => `## ${path}`

interface HandOffContent {
  /** One line per item, reused in order if there are more items. */
  lines: readonly string[]
  verdict: Verdict | undefined
  /** The work of a producing role. */
  work: string | undefined
  /** Share of hand-offs that are cut off. */
  malformed: number
  /** Number of tokens that the text stands for if no work follows. */
  tokens: number
  /** The kind of text that these tokens stand for. */
  of: string
  random: Random
}

/** Writes a hand-off with the requested items in the requested format. At the given rate it is cut off, as by real models. */
export async function handOffReply(asked: HandOff, content: HandOffContent): Promise<string> {
  // Most runs have no hand-off and need no writer of formats.
  const { write } = await import('../../formats/convert.ts')
  const { lines, verdict, work, malformed, tokens, of, random } = content
  const items = asked.items.map((name, i) =>
    item(name, wordsFor(name, i, lines, verdict) + (i === 0 ? textPlace : '')),
  )
  if (asked.mayAsk && verdict && !verdict.approved) items.push(item(requestItem, verdict.findings.join('; ')))
  const whole = write(element(documentName, items), asked.format)
  const isCut = random() < malformed
  const text = isCut ? whole.slice(0, Math.ceil(whole.length * (0.3 + 0.5 * random()))) : whole
  const [before = '', after = ''] = text.split(textPlace)
  return work === undefined ? textOfSize(before, after, tokens, of) : joinReply(before + after, work)
}

const textPlace = '\uE000'

const item = (name: string, text: string): Element =>
  element(name, text === '' ? [] : [{ kind: 'text', text }])

function wordsFor(name: string, i: number, lines: readonly string[], verdict: Verdict | undefined): string {
  if (!verdict) return lines[i % lines.length] ?? ''
  if (/approv|status|verdict/i.test(name)) return verdict.approved ? 'approved' : 'changes are needed'
  return verdict.findings[i] ?? 'Nothing is missing.'
}

/**
 * Returns how good one of several works looks by one criterion, as `drafts/ada.md` by `facts`; undefined if the prompt does not show it under
 * its path or its file's name. Judges agree what works of a quality are good at; each has noise and mistakes of its own.
 */
export function ratingSignal(
  { verdicts: { falseAccept, falseReject, noise }, skills }: Profile,
  request: AgentRequest,
  submissions: Submissions,
  { row: [work = '', ...criteria], works }: { row: readonly string[]; works: readonly string[] },
): number | undefined {
  const quality =
    qualityUnder(work, works, submissions, request.prompt) ??
    qualityUnder(fileName(work), works.map(fileName), submissions, request.prompt)
  if (quality === undefined) return undefined
  const { seed, task } = request.trial
  const own = `${seedOf(request, request.attempt)}|${work}`
  const rate = errorRate(quality === 1 ? falseReject : falseAccept, skills.judge)
  const noiseOf = (label: string) => (noise / 2) * normal(seededRandom(`${label}|${criteria.join()}`))
  const shift = noiseOf(`${seed}|${task}|${quality}`) + noiseOf(own)
  return signalOf(quality, seededRandom(own)() < rate, shift)
}

const fileName = (path: string) => basename(path, extname(path))
