# Copies the sources of Qhull with the options that the engine never sets written into them as constants, so that the compiler drops what
# depends on them: Delaunay and Voronoi, half-spaces, joggled input, scaling and rotation, good facets only, tracing, statistics, and
# dimensions other than three. The copies build the same hulls as the originals. Included by qhull.cmake.
#
# Qhull reads an option as qh->NAME and sets it as qh->NAME= value, in functions that are not called here; only reads are replaced.

# What every run has: the values that Qhull itself gives to options that are not on its command line, and qhull_adapter.c's.
set(qhull_constants
    "qh->qhmem.IStracing=0" hull_dim=3 input_dim=3 normal_size=24 center_size=16 CENTERtype=qh_AScentrum DROPdim=-1
    MERGING=True PREmerge=True MERGEindependent=True MERGEvertices=True ZEROcentrum=True ALLOWwide=True SKIPcheckmax=True
    JOGGLEmax=REALmax premerge_cos=REALmax postmerge_cos=REALmax cos_max=REALmax TRACEdist=REALmax ROTATErandom=INT_MIN
    TRACEpoint=qh_IDnone
    "GOODpointp=(pointT *)NULL" "GOODvertexp=(pointT *)NULL" "GOODclosest=(facetT *)NULL")
# Off: the rest of the options.
set(qhull_off
    ALLOWrestart ALLOWwarning ALLpoints ANGLEmerge APPROXhull ATinfinity AVOIDold BESToutside CHECKduplicates CHECKfrequently DELAUNAY
    DOcheckmax ERREXITcalled FORCEoutput GOODpoint GOODthreshold GOODvertex HALFspace IStracing KEEPcoplanar KEEPinside KEEPnearinside
    MERGEexact MERGEpinched NOerrexit NOnarrow NOnearinside NOpremerge ONLYgood ONLYmax PICKfurthest POSTmerge POSTmerging
    PRINToptions1st PRINTprecision PRINTstatistics PRINTsummary PROJECTdelaunay PROJECTinput RANDOMdist RANDOMoutside REPORTfreq
    REPORTfreq2 RERUN SCALEinput SCALElast SETroundoff SKIPconvex SPLITthresholds STOPadd STOPcone STOPpoint TESTpoints TESTvneighbors
    TRACElastrun TRACElevel TRACEmerge TRIangulate TRInormals UPPERdelaunay VERIFYoutput VIRTUALmemory VORONOI build_cnt
    tracefacet tracevertex)

# Reads `from`, writes `to` if that would change.
function(qhull_trim_file from to)
  file(READ "${from}" text)
  # Assignments of other forms than qh->NAME= value are written so that they do not look like a read.
  string(REGEX REPLACE "(qh->[A-Za-z_]+) ([*+-]=)" "\\1\\2" text "${text}")
  string(REGEX REPLACE "(m[axin]+imize_\\(qh)->" "\\1 ->" text "${text}")
  # The end of the name, and no assignment after it.
  set(read "([^A-Za-z0-9_=*+-]|==|[*+-][^*+=q-])")
  list(JOIN qhull_off "|" off)
  string(REGEX REPLACE "qh->(${off})${read}" "0\\2" text "${text}")
  foreach(constant IN LISTS qhull_constants)
    string(REGEX MATCH "^(.*)=(.*)$" ignored "${constant}")
    set(name "${CMAKE_MATCH_1}")
    set(value "${CMAKE_MATCH_2}")
    string(REGEX REPLACE "^qh->" "" name "${name}")
    string(REGEX REPLACE "qh->${name}${read}" "(${value})\\1" text "${text}")
  endforeach()
  # The text of the options in use, for output; tests of Qhull's lists, which fail only where its code has an error.
  string(REGEX REPLACE "\n( +)qh_(option|checkpolygon)\\(" "\n\\1qh_omit(" text "${text}")
  string(REPLACE "!qh_checklists(" "!qh_trust(" text "${text}")
  string(REPLACE "#define qh_KEEPstatistics 1" "#define qh_KEEPstatistics 0" text "${text}")
  file(CONFIGURE OUTPUT "${to}" CONTENT "${text}" @ONLY)
endfunction()

function(qhull_trim from to)
  file(GLOB files RELATIVE "${from}" "${from}/*_r.h" "${from}/qhull_ra.h" "${from}/*_r.c")
  foreach(file IN LISTS files)
    qhull_trim_file("${from}/${file}" "${to}/${file}")
  endforeach()
endfunction()
