/** Also in the manifest's activation events, so that a window finds its transcripts again after a reload. */
export const transcriptViewType = "donegate.run";
