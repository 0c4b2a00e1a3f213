/** The version of the program, from its package. */
export const VERSION = '1.0.0'
