/** Style of one of several methods. Colour, dash and symbol each distinguish it from the others. */
export interface SeriesStyle {
  colour: string
  /** As `stroke-dasharray`; empty: solid. */
  dash: string
  symbol: (typeof symbols)[number]
}

/**
 * Okabe and Ito 2008: distinguishable with every common colour blindness; without yellow, which is invisible as a line on white. Then
 * the dark ones of Tol's muted scheme, so that a dozen methods differ in colour, too.
 */
const colours = [
  ...['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', 'currentColor'],
  ...['#882255', '#999933', '#332288', '#661100', '#888888'],
] as const
const dashes = ['', '7 3', '2 2.5', '9 3 2 3', '12 3', '5 2 1 2 1 2'] as const
const symbols = ['circle', 'square', 'triangle', 'diamond', 'star', 'cross', 'wye'] as const

/** Returns the style of the n-th method, from 0; 42 styles differ without colour, and 84 without dashes. */
export const styleOf = (place: number): SeriesStyle => ({
  colour: colours[place % colours.length] as string,
  dash: dashes[place % dashes.length] as string,
  symbol: symbols[place % symbols.length] as SeriesStyle['symbol'],
})

/** Fill of a part of a whole: colour and hatching each distinguish it from its neighbours. */
interface PartFill {
  colour: string
  hatch: (typeof hatches)[number]
}

/** Tol's muted colours, for parts such as roles. Methods have other colours, so that a part is not taken for a method. */
const partColours = [
  '#88CCEE',
  '#DDCC77',
  '#44AA99',
  '#CC6677',
  '#BBBBBB',
  '#999933',
  '#AA4499',
  '#DDDDDD',
] as const
/** Lines that are drawn over the colour. */
const hatches = ['none', 'rising', 'dots', 'falling', 'vertical', 'crossed', 'horizontal'] as const

/** Returns the n-th fill, from 0; 56 fills differ. */
export function fillOf(place: number): PartFill {
  return {
    colour: partColours[place % partColours.length] as string,
    hatch: hatches[place % hatches.length] as PartFill['hatch'],
  }
}

const hatchShapes: Readonly<Record<PartFill['hatch'], string>> = {
  none: '',
  rising: '<path d="M-2,2L2,-2M0,8L8,0M6,10L10,6"/>',
  falling: '<path d="M-2,6L2,10M0,0L8,8M6,-2L10,2"/>',
  vertical: '<path d="M4,0V8"/>',
  horizontal: '<path d="M0,4H8"/>',
  crossed: '<path d="M4,0V8M0,4H8"/>',
  dots: '<circle cx="2" cy="2" r="0.8"/><circle cx="6" cy="6" r="0.8"/>',
}

/** Returns the fill as an SVG pattern with this id. */
export function patternOf(id: string, { colour, hatch }: PartFill): string {
  return `<pattern id="${id}" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="${colour}"/><g stroke="black" stroke-width="1" fill="black" stroke-opacity="0.75">${hatchShapes[hatch]}</g></pattern>`
}
