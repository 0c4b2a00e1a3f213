/** How long an answer may be changed after it was first sent. */
const CHANGED_FOR = '24 hours'

/** SQL over a survey `v`: whether it may be answered, or its answer changed. */
export const OPEN_SURVEY_SQL = `(v.completed_at is null or v.completed_at > now() - interval '${CHANGED_FOR}')`
