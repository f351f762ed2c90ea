import { optionLetter } from '../replies/answers/options.ts'
import { optionProblems } from './answer-rules.ts'

/** How the options of a question are graded. */
interface ChoiceGrader {
  grader: { kind: 'choice'; name: string; answer: string; options: string[] }
  /** Why only their letters can tell them apart. */
  issue?: string
}

/** Grades one of several options. Where the texts of two mean the same or another letter, only letters choose. */
export function choiceGrader(name: string, options: readonly string[], answer: string): ChoiceGrader {
  const isTwice = new Set(options).size < options.length
  if (!isTwice && optionProblems(options, () => '').length === 0)
    return { grader: { kind: 'choice', name, answer, options: [...options] } }
  return {
    grader: { kind: 'choice', name, answer, options: options.map((_, i) => optionLetter(i)) },
    issue: isTwice ? 'two of its options have the same text' : 'one of its options is the letter of another',
  }
}
