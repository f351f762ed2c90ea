import { seededRandom, shuffled } from '../../base/random.ts'
import { matchOption } from '../../replies/answers/option-claims.ts'
import { type Task, wantsText } from '../../schema/task.ts'

/** Returns plausible answers that differ from the reference by more than case, in seeded order. Only grading decides whether they are wrong. */
export function wrongAnswers(task: Task, reference: string): string[] {
  const random = seededRandom(`wrong answers/${task.digest}`)
  const options = task.spec.graders.flatMap((grader) =>
    grader.kind === 'choice' ? wrongOptions(grader.options, reference) : [],
  )
  const near = wantsText(task.spec)
    ? otherWritings(reference)
    : options.length > 0
      ? options
      : /\d/.test(reference)
        ? otherNumbers(reference)
        : otherTexts(reference)
  const distinct = new Set(
    shuffled(near, random).filter(
      (answer) => !['', reference.toLowerCase()].includes(answer.trim().toLowerCase()),
    ),
  )
  return [...distinct, 'none of them', 'I do not know']
}

/** The options but the one that a reference names, by its text or its letter. */
function wrongOptions(options: readonly string[], reference: string): string[] {
  const right = matchOption(reference, options)
  return options.filter((_, i) => i !== right)
}

function otherNumbers(reference: string): string[] {
  return [...reference.matchAll(/\d[\d,]*(?:\.\d+)?/g)].flatMap((match) => {
    const value = Number(match[0].replaceAll(',', ''))
    const digits = match[0].split('.')[1]?.length ?? 0
    const step = digits > 0 ? 10 ** -digits : 1
    const changed = [
      value + step,
      value - step,
      value * 2,
      value * 10,
      value + 10 * step,
      Math.round(value * 1.1),
    ]
    return changed
      .filter((other) => other >= 0 && other !== value)
      .map(
        (other) =>
          reference.slice(0, match.index) +
          other.toFixed(digits) +
          reference.slice(match.index + match[0].length),
      )
  })
}

function otherWritings(reference: string): string[] {
  const sentences = reference.split(/(?<=[.!?]["”]?)\s+/)
  const half = sentences.slice(0, Math.ceil(sentences.length / 2)).join(' ')
  return [
    ...sentences.flatMap((_, i) => (i % 3 === 0 ? [sentences.toSpliced(i, 3).join(' ')] : [])),
    half,
    `${reference}\n\n${half}`,
    `# A text\n\n${reference}`,
    sentences.map((sentence) => `- ${sentence}`).join('\n'),
  ]
}

function otherTexts(reference: string): string[] {
  const separator = /,\s*|\s*->\s*|\s*;\s*|\s+/.exec(reference)?.[0]
  const parts = separator ? reference.split(separator) : []
  const texts: string[] = []
  for (let i = 0; i + 1 < parts.length; i++) {
    const swapped = [...parts]
    swapped.splice(i, 2, parts[i + 1] as string, parts[i] as string)
    texts.push(swapped.join(separator), parts.toSpliced(i, 1).join(separator))
  }
  const letters = [...reference]
  texts.push(letters.toReversed().join(''), letters.slice(0, -1).join(''), `not ${reference}`)
  return texts
}
