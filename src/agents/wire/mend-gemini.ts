import { isObject } from '../../text/is-object.ts'
import { type Json, listAt, objectAt, textsOf } from './json.ts'

/** Mends a part in the format of Gemini; returns nothing for any other. */
export function mendGemini(part: Json): Json[] {
  const blocked = textsOf(objectAt(part, 'promptFeedback'), 'blockReason')
  const isKnown = Array.isArray(part.candidates) || 'usageMetadata' in part || 'blockReason' in blocked
  if (!isKnown) return []
  const candidates = listAt(part, 'candidates').map((candidate) => ({
    ...textsOf(candidate, 'finishReason', 'finishMessage'),
    content: { parts: listAt(objectAt(candidate, 'content'), 'parts').flatMap(mendPiece) },
  }))
  return [{ ...textsOf(part, 'responseId'), candidates, promptFeedback: blocked }]
}

/** Returns a text, a thought or a call. What Google's own tools and pictures bring is left out. */
function mendPiece(piece: Json): Json[] {
  const signed = textsOf(piece, 'thoughtSignature')
  if (isObject(piece.functionCall)) {
    const { args, partialArgs, willContinue } = piece.functionCall
    const more = { args, partialArgs, willContinue }
    return [{ functionCall: { ...textsOf(piece.functionCall, 'id', 'name'), ...more }, ...signed }]
  }
  if (typeof piece.text !== 'string' && !('thoughtSignature' in signed)) return []
  return [
    { text: '', ...textsOf(piece, 'text'), ...(piece.thought === true && { thought: true }), ...signed },
  ]
}
