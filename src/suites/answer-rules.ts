import { join } from 'node:path'
import { matchOption } from '../answers/match-option.ts'
import { readNumber } from '../answers/read-number.ts'
import type { Files, GraderSpec, TaskSpec } from '../schema/task.ts'
import type { Problem } from '../text/errors.ts'
import { shorten } from '../text/shorten.ts'
import type { YamlFile } from '../yaml/read-yaml.ts'

/** What is wrong with what answers are compared with: a grader that cannot read it would end every trial in error. */
export function checkAnswers(
  { data: spec, where }: YamlFile<TaskSpec>,
  solution: Files,
  folder: string,
): Problem[] {
  const reference = spec.output === 'answer' ? solution['answer.txt'] : undefined
  return spec.graders.flatMap((grader, index) => {
    if (grader.kind === 'tests' || grader.kind === 'pattern') return []
    const at = (...path: PropertyKey[]) => where('graders', index, ...path)
    const twice = grader.kind === 'choice' ? twiceOffered(grader.options, at) : []
    const own = grader.answer !== undefined
    const text = own ? String(grader.answer) : reference?.trim()
    if (text === undefined) return twice
    const fault = faultOf(grader, text)
    if (!fault) return twice
    const place = own ? at('answer') : join(folder, 'solution/answer.txt')
    return [...twice, { where: place, ...fault }]
  })
}

function twiceOffered(options: readonly string[], at: (...path: PropertyKey[]) => string): Problem[] {
  const texts = options.map((option) => option.trim())
  return texts.flatMap((text, i) => {
    const first = texts.indexOf(text)
    const what = `is option ${first + 1} once more: ${JSON.stringify(shorten(text, 80))}`
    const fix = 'Offer each option once: only one of them can be right.'
    return first === i ? [] : [{ where: at('options', i), what, fix }]
  })
}

function faultOf(
  grader: Exclude<GraderSpec, { kind: 'tests' | 'pattern' }>,
  text: string,
): Omit<Problem, 'where'> | undefined {
  const shown = JSON.stringify(shorten(text, 80))
  if (text.trim() === '')
    return {
      what: `is empty, so the ${grader.kind} grader ${grader.name} has nothing to compare with`,
      fix: 'Write the answer.',
    }
  if (grader.kind === 'numeric' && readNumber(text) === undefined)
    return {
      what: `holds no single number for the grader ${grader.name}: ${shown}`,
      fix: 'Write one number as decimal digits, such as 0.5 or 1000.5.',
    }
  if (grader.kind === 'choice' && matchOption(text, grader.options) === undefined)
    return { what: 'is none of the options', fix: 'Write an option or its letter.' }
  return undefined
}
