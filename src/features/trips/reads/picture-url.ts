const PICTURE_DATA = /^data:image\/(?:png|jpeg|webp|svg\+xml)[;,]/
/** What a browser fetches safely, or need not fetch. */
export const isPictureUrl = (url: string): boolean => PICTURE_DATA.test(url) || URL.parse(url)?.protocol === 'https:'
