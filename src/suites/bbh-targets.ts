import { matchOption } from '../replies/answers/option-claims.ts'
import { choiceGrader } from './choice-grader.ts'
import { isNumber } from './questions/number-cell.ts'

/** How a target is graded. `issue`: what is wrong with the example. */
interface GradedTarget {
  grader:
    | { kind: 'choice'; name: string; answer: string; options: string[] }
    | { kind: 'numeric'; name: string; answer: string; tolerance: number }
    | { kind: 'exact'; name: string; answer: string; ignoreCase: boolean; extract?: string[] }
  issue?: string
}

const name = 'answer'
const pairs: readonly (readonly string[])[] = [
  ['Yes', 'No'],
  ['True', 'False'],
  ['valid', 'invalid'],
]

/** Grades a target by its kind: one of the options that the input lists, one of two words, a number, or words and signs. */
export function gradeTarget(input: string, target: string): GradedTarget {
  const options = optionsIn(input)
  if (options.length > 1) return gradeOption(options, target)
  const pair = pairs.find((words) => words.some((word) => word.toLowerCase() === target.toLowerCase()))
  if (pair) return { grader: { kind: 'choice', name, answer: target, options: [...pair] } }
  if (isNumber(target)) return { grader: { kind: 'numeric', name, answer: target, tolerance: 0 } }
  const extract = /^[()[\]{}<>\s]+$/.test(target) ? { extract: [bracketsLine] } : {}
  return { grader: { kind: 'exact', name, answer: target, ignoreCase: true, ...extract } }
}

/** A line of brackets alone, perhaps behind `Answer:`. A reply that is nothing but `}` looks like the end of some code. */
const bracketsLine =
  '^(?:[*# ]*(?:the )?(?:final )?answer[* ]*:)?[* ]*([()\\[\\]{}<>](?: ?[()\\[\\]{}<>])*)[* .]*$'

function gradeOption(options: string[], target: string): GradedTarget {
  if (matchOption(target, options) !== undefined) return choiceGrader(name, options, target)
  return {
    grader: { kind: 'exact', name, answer: target, ignoreCase: true },
    issue: 'its target is none of the options that its input lists',
  }
}

/** Returns the options that an input lists behind `Options:`, as `(A) …` in the order of the letters, or as `- …`. */
function optionsIn(input: string): string[] {
  const at = input.lastIndexOf('Options:')
  if (at === -1) return []
  const lines = input
    .slice(at)
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
  const lettered = lines.flatMap((line) => {
    const [, letter, text] = /^\(([A-Z])\)\s*(.*)$/.exec(line) ?? []
    return letter === undefined ? [] : [{ letter, text: text ?? '' }]
  })
  const inOrder = lettered.every(({ letter }, i) => letter.charCodeAt(0) === 65 + i)
  if (lettered.length > 1 && inOrder) return lettered.map(({ text }) => text)
  return lines.flatMap((line) => (line.startsWith('- ') ? [line.slice(2).trim()] : []))
}
