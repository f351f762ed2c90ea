import { expectedAnswer } from './expected.ts'
import { clean, extractAnswer } from './extract.ts'
import type { Grader } from './grader.ts'
import { nothingLeft, verdict } from './scores.ts'

/** The final answer is the expected text, but for white space, a final period and (by default) case. */
export const exact: Grader<'exact'> = ({ spec, task, answer }) => {
  const expected = expectedAnswer(spec, task)
  const found = extractAnswer(answer, spec.extract)
  if (!found) return nothingLeft(spec.name)
  const right = found === expected || isForm(found, expected, spec.ignoreCase)
  return verdict(spec.name, right, right ? `${quote(found)} is right` : `${quote(found)} is not the answer`)
}

function isForm(found: string, expected: string, ignoreCase: boolean): boolean {
  const wanted = wantedForms(expected, ignoreCase)
  return forms(found, ignoreCase).some((form) => wanted.includes(form))
}

let last = { expected: '', ignoreCase: false, forms: [''] }

/** Trials of a task come one after the other. */
function wantedForms(expected: string, ignoreCase: boolean): readonly string[] {
  if (expected !== last.expected || ignoreCase !== last.ignoreCase) {
    // An answer such as `__init__` looks wrapped itself.
    const all = [...forms(expected, ignoreCase), ...forms(clean(expected), ignoreCase)]
    last = { expected, ignoreCase, forms: all }
  }
  return last.forms
}

/** A text as compared, with and without its final period. */
function forms(text: string, ignoreCase: boolean): string[] {
  const plain = text.normalize('NFC').replace(/\s+/g, ' ').trim()
  const cased = ignoreCase ? plain.toLowerCase() : plain
  return [cased, cased.replace(/\.$/, '').trim()].filter((form) => form !== '')
}

const quote = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
