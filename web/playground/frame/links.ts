// Says where the documentation and the repository are published. Whoever publishes the page fills these in.

const published = { docs: '', repository: '' };

// The site of the documentation holds the page in its folder playground.
const ofSite = location.pathname.includes('/playground/') ? '../' : '';

/** The links of the header. What is not published has none. */
export const pageLinks = [
  { label: 'Docs', href: published.docs || ofSite },
  { label: 'GitHub', href: published.repository },
].filter(({ href }) => href !== '');
