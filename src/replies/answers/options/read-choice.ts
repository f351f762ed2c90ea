import { announcedAnswer } from '../announced-answer.ts'
import { matchPatterns } from '../extract-answer.ts'
import type { FinalAnswer } from '../headed-answer.ts'
import { bottomLine, lastLine } from '../last-line.ts'
import { chosenOption, isReason, optionsBegun } from './match-option.ts'
import { lettersNamed } from './option-letters.ts'
import { plainText } from './option-text.ts'

interface FoundChoice extends FinalAnswer {
  /** Undefined if the text names no single option. */
  index: number | undefined
}

/**
 * Finds the option that a reply chooses, as `readAnswer` finds an answer. Here `the correct choice is B` announces, too. Without an
 * announcement the last line counts only if the line above it names no other option: a list of options is no answer.
 */
export function readChoice(
  reply: string | undefined,
  options: readonly string[],
  patterns: readonly string[] = [],
): FoundChoice | undefined {
  if (reply === undefined) return undefined
  const announced = matchPatterns(reply, patterns) ?? announcedAnswer(reply, true)
  if (announced?.text === '') return undefined
  if (announced) return { ...announced, index: chosenOption(announced.text, options) }
  const last = lastLine(reply)
  return last && { ...last, index: optionOfLastLine(reply, last.text, options) }
}

function optionOfLastLine(reply: string, text: string, options: readonly string[]): number | undefined {
  const index = chosenOption(withoutSpeaker(text, options), options)
  const isItem = optionsBegun(text, options).length > 0 || /^(?:[-•+]|\d{1,2}[.)])\s/.test(text)
  if (index === undefined || !isItem) return index
  const above = bottomLine(reply.slice(0, Math.max(0, reply.lastIndexOf(text))))
  const others = [
    ...optionsBegun(above, options),
    ...lettersNamed(plainText(above), options).map((o) => o.index),
  ]
  return others.every((other) => other === index) ? index : undefined
}

/** `A:` before a sentence stands for "answer", unless the option's own text or a reason follows. */
function withoutSpeaker(text: string, options: readonly string[]): string {
  const [speaker, sentence = ''] = /^[*_]{0,3}A\s?[:：][*_]{0,3}\s{1,9}(\S[\s\S]*)$/.exec(text) ?? []
  if (speaker === undefined || isReason(sentence)) return text
  return optionsBegun(sentence, options).includes(0) ? text : sentence
}
