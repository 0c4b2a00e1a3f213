/** The background with the least contrast for accents: see the colours of `STYLE`. */
export const LIGHT_PAPER = '#f7efdf'
export const DARK_PAPER = '#28241c'
/** WCAG 2.2, level AA, for text of any size. */
const CONTRAST_MINIMUM = 4.5
const STEPS = 50
const CHANNELS = [1, 3, 5]
const MOST = 255

/** A colour, `#rrggbb`, as near to it as it can be read on another, by mixing it with black or white. */
export function readableOn(background: string, color: string): string {
  const target = luminanceOf(background) > 0.18 ? 0 : MOST
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(color, target, step / STEPS)
    if (contrastOf(mixed, background) >= CONTRAST_MINIMUM) return mixed
  }
  return mix(color, target, 1)
}

/** The background of mails is unknown. */
const DARK_MAIL = '#222222'
const WHITE = '#ffffff'
/** For large text and for the ground of a button: AA as well. */
const LARGE_MINIMUM = 3

/** Adjusts a colour for white text on it, for text on white, and for large text on dark backgrounds. */
export function readableInMail(color: string): string {
  const dark = readableOn(WHITE, color)
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(dark, MOST, step / STEPS)
    if (contrastOf(mixed, WHITE) < CONTRAST_MINIMUM) break
    if (contrastOf(mixed, DARK_MAIL) >= LARGE_MINIMUM) return mixed
  }
  return dark
}

/** As WCAG defines it: from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const channelsOf = (color: string): number[] => CHANNELS.map((at) => Number.parseInt(color.slice(at, at + 2), 16))

function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) => {
    const part = value / MOST
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const mix = (color: string, target: number, share: number): string =>
  `#${channelsOf(color)
    .map((value) =>
      Math.round(value + (target - value) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
