// Texts are set as texts, never as markup.
export const byId = (id) => document.getElementById(id)

export const element = (name, text, className) => {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  if (className) made.className = className
  return made
}

export const button = (text, className, onClick) => {
  const made = element('button', text, className)
  made.type = 'button'
  if (onClick) made.addEventListener('click', onClick)
  return made
}

const signs = { passed: '✓', 'not passed': '✗', 'not graded': '–' }
/** Returns a result with its sign, which stands for the colour as well. */
export const mark = (result, short = false) => {
  const made = element('span', short ? signs[result] : `${signs[result]} ${result}`, 'mark')
  made.dataset.result = result
  if (short) made.setAttribute('aria-label', result)
  if (short) made.setAttribute('role', 'img')
  return made
}

export const { run, rows: methods, baseline, trials } = JSON.parse(byId('data').textContent)
export const methodOf = (trial) => trial.row ?? trial.method
