// `npm install` makes a link to the package two folders up. Taken as it is named, and not as it is placed, it finds the
// packages of this folder. Where moreau is installed from a registry the line may go.
export default { resolve: { preserveSymlinks: true } }
