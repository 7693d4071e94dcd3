// Makes the front page of the site: a picture and buttons first, then the README.

/** The picture beside the title, below docs/. */
export const frontPicture = 'pictures/playground-lint-desktop.png';

const head = `---
layout: home
title: prompt-strata
hero:
  name: prompt-strata
  text: Exactly the bytes that Gemini wants
  tagline: A library for chats, tools and agents on the Gemini API. It keeps every turn and signature as it came, and finds before sending what would be refused.
  image:
    src: /${frontPicture}
    alt: The playground with a request that Gemini would refuse, and why
  actions:
    - theme: brand
      text: Check a request in the playground
      link: /playground/index.html
      target: _self
    - theme: alt
      text: Quick start
      link: /quick-start
---
`;

/** Returns the front page from the text of the README, whose title and first paragraph the head replaces. */
export const frontPage = (readme) => head + readme.replace(/^# .+\n+[^\n]+(?:\n[^\n]+)*\n/, '');
