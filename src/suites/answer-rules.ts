import { join } from 'node:path'
import { hasDecimalComma } from '../replies/answers/found-numbers.ts'
import { matchOption } from '../replies/answers/option-claims.ts'
import { onlyLetter, plainText } from '../replies/answers/options.ts'
import { pickNumber } from '../replies/answers/pick-number.ts'
import type { GraderSpec } from '../schema/grader-spec.ts'
import type { Files, TaskSpec } from '../schema/task.ts'
import type { Problem } from '../text/errors.ts'
import { shorten } from '../text/shorten.ts'
import type { YamlFile } from '../yaml/read-fields.ts'

type AnswerGrader = Extract<GraderSpec, { kind: 'exact' | 'numeric' | 'math' | 'choice' }>

const comparesAnswer = (grader: GraderSpec): grader is AnswerGrader =>
  ['exact', 'numeric', 'math', 'choice'].includes(grader.kind)

/** Checks the reference answers. A grader that cannot read its reference would end every trial in error. */
export function checkAnswers(
  { data: spec, where }: YamlFile<TaskSpec>,
  solution: Files,
  folder: string,
): Problem[] {
  const reference = spec.output === 'answer' ? solution['answer.txt'] : undefined
  return spec.graders.flatMap((grader, index) => {
    if (!comparesAnswer(grader)) return []
    const at = (...path: PropertyKey[]) => where('graders', index, ...path)
    const repeated = grader.kind === 'choice' ? optionProblems(grader.options, at) : []
    const own = grader.answer !== undefined
    const text = own ? String(grader.answer) : reference?.trim()
    if (text === undefined) return repeated
    const problem = answerProblem(grader, text)
    if (!problem) return repeated
    const place = own ? at('answer') : join(folder, 'solution/answer.txt')
    return [...repeated, { where: place, ...problem }]
  })
}

/** Returns what is wrong with the options of a choice. */
export const optionProblems = (
  options: readonly string[],
  at: (...path: PropertyKey[]) => string,
): Problem[] => [...repeatedOptions(options, at), ...lettersOfOthers(options, at)]

/** An option such as `d` in the place of A: the reply `D` could mean two options. */
function lettersOfOthers(options: readonly string[], at: (...path: PropertyKey[]) => string): Problem[] {
  return options.flatMap((option, i) => {
    const other = onlyLetter(plainText(option), options)
    if (other === undefined || other === i) return []
    const [own, named] = [option, options[other] as string].map((text) => JSON.stringify(shorten(text, 80)))
    const what = `is ${own}, but a reply with that letter means option ${other + 1}, ${named}`
    const fix = 'Write each option in words, or put each letter at its own place.'
    return [{ where: at('options', i), what, fix }]
  })
}

function repeatedOptions(options: readonly string[], at: (...path: PropertyKey[]) => string): Problem[] {
  const texts = options.map((option) => option.trim())
  return texts.flatMap((text, i) => {
    const first = texts.indexOf(text)
    const what = `repeats option ${first + 1}: ${JSON.stringify(shorten(text, 80))}`
    const fix = 'List each option once; only one can be right.'
    return first === i ? [] : [{ where: at('options', i), what, fix }]
  })
}

/** A number that is read without doubt; a suite of thousands of questions has mostly such answers. */
export const plainNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/

function answerProblem(grader: AnswerGrader, text: string): Omit<Problem, 'where'> | undefined {
  const shown = JSON.stringify(shorten(text, 80))
  if (text.trim() === '')
    return {
      what: `is empty, so the ${grader.kind} grader ${grader.name} has nothing to compare with`,
      fix: 'Write the answer.',
    }
  if (grader.kind === 'exact' && grader.extract === undefined && text.trim().includes('\n'))
    return {
      what: `has several lines, but the answer of a reply is one line: ${shown}`,
      fix: 'Write the answer on one line, or grade it by a function: kind: module.',
    }
  if (grader.kind === 'numeric' && plainNumber.test(text)) return undefined
  const picked = grader.kind === 'numeric' ? pickNumber(text) : undefined
  if (picked !== undefined && 'problem' in picked)
    return {
      what: `is not a single number, which the grader ${grader.name} needs: ${shown} ${picked.problem}`,
      fix: 'Write one number, such as 0.5, 3/4 or 1,000.5.',
    }
  if (picked !== undefined && 'number' in picked && hasDecimalComma(picked.number))
    return {
      what: `has a comma that may be a decimal comma or part two numbers, so it is in doubt: ${shown}`,
      fix: `Write ${picked.number.values[0]}.`,
    }
  if (grader.kind === 'choice' && matchOption(text, grader.options) === undefined)
    return { what: 'is not one of the options', fix: 'Write an option or its letter.' }
  return undefined
}
