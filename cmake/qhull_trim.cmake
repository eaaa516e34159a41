# Copies the sources of Qhull with the options that the engine never sets written into them as constants, so that the compiler drops what
# depends on them: Delaunay and Voronoi, half-spaces, joggled input, scaling and rotation, good facets only, tracing, statistics, and
# dimensions other than three. The copies build the same hulls as the originals. Included by qhull.cmake.
#
# Qhull reads an option as qh->NAME and sets it as qh->NAME= value, in functions that are not called here; only reads are replaced. What is
# read nowhere is an error: with another version of Qhull an option that was renamed would silently stay in the module.

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

list(TRANSFORM qhull_off APPEND "=0" OUTPUT_VARIABLE qhull_zeros)
list(APPEND qhull_constants ${qhull_zeros})

# Replaces what matches a pattern in the variable `text`. `what` names the replacement; the global property qhull_replaced lists those that
# replaced something in some file.
function(qhull_replace what pattern replacement)
  string(REGEX REPLACE "${pattern}" "${replacement}" replaced "${text}")
  if(NOT replaced STREQUAL text)
    set_property(GLOBAL APPEND PROPERTY qhull_replaced "${what}")
  endif()
  set(text "${replaced}" PARENT_SCOPE)
endfunction()

# Reads `from`, writes `to` if that would change.
function(qhull_trim_file from to)
  file(READ "${from}" text)
  # Assignments of other forms than qh->NAME= value are written so that they do not look like a read.
  qhull_replace(assignments "(qh->[A-Za-z_]+) ([*+-]=)" "\\1\\2")
  qhull_replace(minimize "(m[axin]+imize_\\(qh)->" "\\1 ->")
  # The end of the name, and no assignment after it.
  set(read "([^A-Za-z0-9_=*+-]|==|[*+-][^*+=q-])")
  foreach(constant IN LISTS qhull_constants)
    string(REGEX MATCH "^(.*)=(.*)$" ignored "${constant}")
    set(name "${CMAKE_MATCH_1}")
    set(value "${CMAKE_MATCH_2}")
    string(REGEX REPLACE "^qh->" "" name "${name}")
    qhull_replace("${constant}" "qh->${name}${read}" "(${value})\\1")
  endforeach()
  # The text of the options in use, for output; tests of Qhull's lists, which fail only where its code has an error.
  qhull_replace(qh_option "\n( +)qh_option\\(" "\n\\1qh_omit(")
  qhull_replace(qh_checkpolygon "\n( +)qh_checkpolygon\\(" "\n\\1qh_omit(")
  qhull_replace(qh_checklists "!qh_checklists\\(" "!qh_trust(")
  qhull_replace(qh_KEEPstatistics "#define qh_KEEPstatistics 1" "#define qh_KEEPstatistics 0")
  file(CONFIGURE OUTPUT "${to}" CONTENT "${text}" @ONLY)
endfunction()

function(qhull_trim from to)
  file(GLOB files RELATIVE "${from}" "${from}/*_r.h" "${from}/qhull_ra.h" "${from}/*_r.c")
  foreach(file IN LISTS files)
    qhull_trim_file("${from}/${file}" "${to}/${file}")
  endforeach()
  get_property(replaced GLOBAL PROPERTY qhull_replaced)
  foreach(what IN LISTS qhull_constants ITEMS
          assignments minimize qh_option qh_checkpolygon qh_checklists qh_KEEPstatistics)
    if(NOT what IN_LIST replaced)
      message(FATAL_ERROR "cmake/qhull_trim.cmake: ${what} is not in the sources of Qhull, or is never read")
    endif()
  endforeach()
endfunction()
