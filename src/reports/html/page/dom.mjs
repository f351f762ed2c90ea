// Texts are set as texts, never as markup.

/** Returns the element with this id. */
export const byId = (id) => document.getElementById(id)

const rightToLeft =
  /([\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]+(?:[ \p{M}]?[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}])*)/u

/** Returns a text as nodes; words that are written from right to left are isolated, so that they move no number beside them. */
export const isolated = (text) =>
  String(text)
    .split(rightToLeft)
    .map((part, at) => {
      if (at % 2 === 0) return part
      const made = document.createElement('bdi')
      made.textContent = part
      return made
    })

/** Makes an option. It can hold no elements, so marks isolate the words that are written from right to left. */
export const option = (text, value) =>
  new Option(
    text
      .split(rightToLeft)
      .map((part, at) => (at % 2 === 0 ? part : `\u2068${part}\u2069`))
      .join(''),
    value,
  )

/** Makes an element with a text. */
export const element = (name, text, className) => {
  const made = document.createElement(name)
  if (text !== undefined) made.append(...isolated(text))
  if (className) made.className = className
  return made
}

/** Makes a button that submits no form. */
export const button = (text, className, onClick) => {
  const made = element('button', text, className)
  made.type = 'button'
  if (onClick) made.addEventListener('click', onClick)
  return made
}

/** The signs of results, of which a grid of a run that works has more. */
export const signs = {
  ...{ passed: '✓', 'not passed': '✗', 'not graded': '–' },
  ...{ error: '!', ended: '●', waiting: '·' },
}
/** Returns a result with its sign, which stands for the colour as well. */
export const mark = (result, short = false) => {
  const made = element('span', short ? signs[result] : `${signs[result]} ${result}`, 'mark')
  made.dataset.result = result
  if (short) made.setAttribute('aria-label', result)
  if (short) made.setAttribute('role', 'img')
  return made
}
