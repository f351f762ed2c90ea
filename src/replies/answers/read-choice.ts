import { chosenOption, isFinished, keepsOption, restatedOption } from './choose-option.ts'
import { announcedAnswer, type FinalAnswer, lastLine } from './find-answer.ts'
import { cutLongLines, lineBefore, stripMarkup } from './markup.ts'
import { isReason, matchOption, optionsBegun, optionsNamed } from './option-claims.ts'
import { letterMentions, plainText } from './options.ts'
import { matchPatterns } from './read-answer.ts'

interface FoundChoice extends FinalAnswer {
  /** Undefined if the text names no single option. */
  index: number | undefined
  /** All options that the text names. */
  named: readonly number[]
}

/**
 * Finds the option that a reply chooses, as `readAnswer` finds an answer. Here `the correct choice is B` announces, too. Without an
 * announcement the last line counts only if the line above it names no other option: a list of options is no answer. With the
 * question, an answer that repeats its words counts for `yes` or `no`.
 */
export function readChoice(
  whole: string | undefined,
  options: readonly string[],
  patterns: readonly string[] = [],
  question = '',
): FoundChoice | undefined {
  if (whole === undefined) return undefined
  const reply = cutLongLines(whole)
  const announced = matchPatterns(reply, patterns) ?? announcedAnswer(reply, options)
  if (announced?.text === '') return undefined
  const last = announced && announced.force !== 'weak' ? undefined : lastLine(reply)
  const stated = last && optionOfLastLine(reply, last.text, options)
  // `I would pick B at first.` gives way to a last line that chooses.
  if (last && announced && stated !== undefined && chosenOption(announced.text, options) !== undefined)
    return { ...last, index: stated, named: optionsNamed(last.text, options) }
  const found = announced ?? last
  if (!found) return undefined
  const named = optionsNamed(found.text, options)
  const index =
    (announced ? chosenOption(found.text, options) : stated) ??
    restatedOption(found.text, options, question) ??
    (announced || named.length > 0 ? undefined : optionAbove(reply, options))
  return { ...found, index, named }
}

const mostRemarks = 3

/** Returns the option that stands alone on a line, if only finished remarks follow that name no other. */
function optionAbove(reply: string, options: readonly string[]): number | undefined {
  const lines = reply.split('\n')
  const remarks: string[] = []
  let at = lineBefore(lines, lines.length)
  while (at > 0 && remarks.length < mostRemarks && isFinished(lines[at] as string)) {
    remarks.push(lines[at] as string)
    at = lineBefore(lines, at)
    const line = lines[at] ?? ''
    const index = /^\s{0,3}(?:\*\*.*\*\s*$|\([A-Z]\)\s)/.test(line)
      ? matchOption(stripMarkup(line), options)
      : undefined
    if (index !== undefined)
      return remarks.every((remark) => keepsOption(remark, index, options)) ? index : undefined
    if (optionsNamed(line, options).length > 0) return undefined
  }
  return undefined
}

function optionOfLastLine(reply: string, text: string, options: readonly string[]): number | undefined {
  const index = chosenOption(withoutSpeaker(text, options), options)
  const isItem = optionsBegun(text, options).length > 0 || /^(?:[-•+]|\d{1,2}[.)])\s/.test(text)
  if (index === undefined || !isItem) return index
  const lines = reply.slice(0, Math.max(0, reply.lastIndexOf(text))).split('\n')
  const above = stripMarkup(lines[lineBefore(lines, lines.length)] ?? '')
  const others = [
    ...optionsBegun(above, options),
    ...letterMentions(plainText(above), options, 'sure').map((mention) => mention.index),
  ]
  return others.every((other) => other === index) ? index : undefined
}

/** `A:` before a sentence stands for "answer", unless the option's own text or a reason follows. */
function withoutSpeaker(text: string, options: readonly string[]): string {
  const [speaker, sentence = ''] = /^[*_]{0,3}A\s?[:：][*_]{0,3}\s{1,9}(\S[\s\S]*)$/.exec(text) ?? []
  if (speaker === undefined || isReason(sentence)) return text
  return optionsBegun(sentence, options).includes(0) ? text : sentence
}
