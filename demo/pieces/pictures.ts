/** As an address: the pages of trips load pictures of the demo from nowhere. */
const pictureOf = (drawing: string): string =>
  `data:image/svg+xml,${drawing.replace(/\n\s*/g, '').replace(/[%#<> ]/g, encodeURIComponent)}`

const svg = (sky: string, horizon: string, drawing: string): string =>
  pictureOf(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 500 200'>
    <linearGradient id='s' x2='0' y2='1'><stop stop-color='${sky}'/><stop offset='1' stop-color='${horizon}'/></linearGradient>
    <path fill='url(#s)' d='M0 0h500v200H0z'/>${drawing}</svg>`)

/** The Colosseum at sunset, between pines. */
export const COLOSSEUM = svg(
  '#f2b880',
  '#fdebd0',
  `<circle cx='392' cy='72' r='26' fill='#fff6e0'/>
  <path d='M0 128q110-36 220-10t280-18v100H0z' fill='#e0a478'/>
  <pattern id='a' width='20' height='30' patternUnits='userSpaceOnUse'><path d='M5 27V14a5 5 0 0 1 10 0v13z' fill='#84452a'/></pattern>
  <path d='M140 172V82q60-14 150 0l10 32 40 6v52z' fill='#c67a4c'/>
  <path d='M140 172V90h150l10 30h40v52z' fill='url(#a)'/>
  <path d='M0 166q250-10 500 0v34H0z' fill='#71804f'/>
  <path d='M66 98h4v76h-4zM436 106h4v68h-4zM470 124h3v48h-3z' fill='#5b4733'/>
  <path d='M26 100q4-26 42-26t42 26q-42 8-84 0zM402 108q4-22 36-22t36 22q-36 7-72 0zM448 126q3-16 24-16t24 16q-24 5-48 0z' fill='#41603f'/>`,
)

/** Columns of the Forum in the morning. */
export const FORUM = svg(
  '#bcd9e6',
  '#f6efe0',
  `<path d='M0 140q130-40 260-16t240-14v90H0z' fill='#a9b98b'/>
  <pattern id='a' x='130' width='40' height='200' patternUnits='userSpaceOnUse'><path d='M11 74h18v92H11z' fill='#efe2c8'/><path d='M23 74h6v92h-6z' fill='#d3bf9a'/><path d='M8 68h24v6H8zM8 164h24v6H8z' fill='#e4d3b1'/></pattern>
  <path d='M122 68l128-40 128 40z' fill='#d9c6a0'/><path d='M166 62l84-26 84 26z' fill='#c5ae83'/>
  <path d='M130 68h240v104H130z' fill='url(#a)'/>
  <path d='M112 170h276v9H112zM98 179h304v10H98z' fill='#dccba8'/>
  <path d='M0 186h500v14H0z' fill='#8f9a66'/>
  <path d='M50 186q-12-60 4-92 16 32 4 92zM448 186q-10-50 3-78 14 28 3 78z' fill='#4c6b4a'/>`,
)

/** Florence from the river: the dome, the tower, a bridge. */
export const FLORENCE_BY_THE_ARNO = svg(
  '#f4c7a5',
  '#fcefdc',
  `<path d='M0 118q120-44 250-16t250-22v120H0z' fill='#b9a5a0'/>
  <path d='M0 134h60l12-10h46l8 12h66v-16h120v14h62l10-12h50l8 10h58v36H0z' fill='#e2b387'/>
  <path d='M208 122q2-58 44-64 42 6 44 64z' fill='#b9532f'/><path d='M250 60h4v62h-4zM226 76q-8 20-8 46h4q0-26 9-47zM278 76q8 20 8 46h-4q0-26-9-47z' fill='#f3e3cd'/>
  <path d='M247 44h10v16h-10zM252 32l6 12h-12z' fill='#f3e3cd'/>
  <path d='M172 62h22v72h-22z' fill='#f3e3cd'/><path d='M170 58h26v6h-26zM180 72h6v12h-6zM180 94h6v12h-6z' fill='#a86f52'/>
  <path d='M0 156h500v44H0z' fill='#7fa3a6'/>
  <path d='M70 142h360v32h-26a36 24 0 0 0-72 0h-46a36 24 0 0 0-72 0h-46a36 24 0 0 0-72 0H70z' fill='#c98f5e'/>
  <path d='M70 138h360v8H70z' fill='#a4663f'/>
  <path d='M20 182h90v3H20zM210 188h120v3H210zM390 180h80v3h-80z' fill='#a9c4c4'/>`,
)
