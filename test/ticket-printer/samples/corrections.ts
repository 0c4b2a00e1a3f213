/** Wrong fields of expectations, with the right value and the reason. */
const CORRECTIONS: Readonly<Record<string, object>> = {
  // The four blanks at the start of the second header line became a tab, which moved its columns by three.
  'galileo-mir/MirVoid2.mir': { pnr: 'ZZZZZZ', iata: '72321874', pcc: ['', '3L0B'], agent: ['', 'NA'] },
}

export const corrections = (sample: string): object => CORRECTIONS[sample] ?? {}
